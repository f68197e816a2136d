import { type Address, type Hex, keccak256 } from 'viem'
import { knownBuildLines } from './known-builds.ts'
import type { LinkReferences } from './linking.ts'

/** Of an immutable, and of an address. */
const [WORD, ADDRESS] = [32, 20]
const [PUSH1, PUSH20, PUSH32] = [0x60, 0x73, 0x7f]

/** Code without what constructor and deployer fill in. Places are counted in bytes. */
export interface Build {
  readonly bytes: number
  readonly hash: Hex
  readonly immutables: readonly number[]
  readonly libraries: Readonly<Record<string, readonly number[]>>
  /** Where a library has its own address. */
  readonly self: number | null
}

export interface KnownBuild extends Build {
  /** The first day on which it stood on the main branch. */
  readonly since: string
}

function parse(line: string): KnownBuild {
  const [since = '', bytes, hash, ...holes] = line.split(' ')
  const places = new Map(
    holes.map((hole) => {
      const [name = '', list = ''] = hole.split('=')
      return [name, list.split(',').map(Number)] as const
    }),
  )
  const { immutables = [], self = [], ...libraries } = Object.fromEntries(places)
  return { since, bytes: Number(bytes), hash: hash as Hex, immutables, libraries, self: self[0] ?? null }
}

/** By the name of the contract, oldest first. */
export const knownBuilds: Readonly<Record<string, readonly KnownBuild[]>> = Object.fromEntries(
  Object.entries(knownBuildLines).map(([name, lines]) => [name, lines.map(parse)]),
)

interface Hole {
  readonly start: number
  readonly length: number
}

const hexAt = (code: string, { start, length }: Hole) => code.slice(start * 2, (start + length) * 2)

function blanked(code: string, holes: readonly Hole[]): string {
  let text = code
  for (const { start, length } of holes)
    text = text.slice(0, start * 2) + '0'.repeat(length * 2) + text.slice((start + length) * 2)
  return text
}

const holesOf = ({ immutables, libraries, self }: Omit<Build, 'bytes' | 'hash'>): Hole[] => [
  ...immutables.map((start) => ({ start, length: WORD })),
  ...Object.values(libraries)
    .flat()
    .map((start) => ({ start, length: ADDRESS })),
  ...(self === null ? [] : [{ start: self, length: ADDRESS }]),
]

/** The constructor copies the rest of the creation code: where that begins, its own length stands in front of it. */
function startOfRuntime(creation: string): number {
  const bytes = creation.length / 2
  for (let at = creation.indexOf('fe'); at >= 0; at = creation.indexOf('fe', at + 1)) {
    if (at % 2 !== 0) continue
    const start = at / 2 + 1
    const length = (bytes - start).toString(16)
    const pushed = length.length <= 2 ? `60${length.padStart(2, '0')}` : `61${length.padStart(4, '0')}`
    if (creation.slice(0, at).includes(pushed)) return start
  }
  throw new Error('This is no creation code of the compiler')
}

/** The compiler leaves zeros where an immutable goes, and nobody else pushes 32 of them. */
function zeroPushes(code: string): { immutables: number[]; self: number | null } {
  const immutables: number[] = []
  for (let at = 0; at < code.length / 2; at += 1) {
    const opcode = Number.parseInt(code.slice(at * 2, at * 2 + 2), 16)
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const pushed = { start: at + 1, length: opcode - PUSH1 + 1 }
    if (opcode === PUSH32 && /^0{64}$/.test(hexAt(code, pushed))) immutables.push(pushed.start)
    at += pushed.length
  }
  // A library begins with its own address, so that it can tell a call from a delegated one.
  const isLibrary = code.startsWith(`${PUSH20.toString(16)}${'0'.repeat(ADDRESS * 2)}30`)
  return { immutables, self: isLibrary ? 1 : null }
}

/** What creation code leaves on chain, whatever its constructor was given and wherever its libraries stand. */
export function buildOf(creation: string, references: LinkReferences = {}): Build {
  const whole = creation.slice(2)
  const start = startOfRuntime(whole)
  const code = whole.slice(start * 2)
  const libraries: Record<string, number[]> = {}
  for (const inFile of Object.values(references))
    for (const [name, places] of Object.entries(inFile)) {
      const inRuntime = places.map((place) => place.start - start).filter((place) => place >= 0)
      if (inRuntime.length > 0) libraries[name] = inRuntime
    }
  const linked = blanked(code, holesOf({ immutables: [], libraries, self: null }))
  const holes = { ...zeroPushes(linked), libraries }
  return { bytes: code.length / 2, hash: keccak256(`0x${blanked(linked, holesOf(holes))}`), ...holes }
}

export interface Recognized {
  readonly build: KnownBuild
  /** Distinct values, as 32 bytes. */
  readonly immutables: readonly Hex[]
  readonly libraries: Readonly<Record<string, Address>>
  /** Of a library: the address that it takes for its own. */
  readonly self: Address | null
}

function filledIn(code: string, build: KnownBuild): Recognized | null {
  const libraries: Record<string, Address> = {}
  for (const [name, places] of Object.entries(build.libraries)) {
    const found = new Set(places.map((start) => hexAt(code, { start, length: ADDRESS })))
    if (found.size !== 1) return null
    libraries[name] = `0x${[...found].join('')}`
  }
  const words = build.immutables.map((start): Hex => `0x${hexAt(code, { start, length: WORD })}`)
  const self = build.self === null ? null : (`0x${hexAt(code, { start: build.self, length: ADDRESS })}` as const)
  return { build, immutables: [...new Set(words)], libraries, self }
}

/**
 * The build that a contract's code is of, and what was filled in; null: of none that ever was ours. Once it is known, its views can be
 * believed; whether what was filled in is right is for the caller to say.
 */
export function recognize(name: string, code: Hex): Recognized | null {
  const text = code.slice(2).toLowerCase()
  for (const build of knownBuilds[name] ?? []) {
    if (build.bytes * 2 !== text.length) continue
    if (keccak256(`0x${blanked(text, holesOf(build))}`) !== build.hash) continue
    const found = filledIn(text, build)
    if (found) return found
  }
  return null
}

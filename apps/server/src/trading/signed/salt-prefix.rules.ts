import { concat, encodePacked, type Hex, keccak256, size, slice } from 'viem'

/**
 * How the contracts want a salt to begin, so that a split of either token ends an order. Eight bytes for the token, eight for what it is paid
 * with; contracts of the generation before say four bytes, for the token alone. Where the venue knows better than the contract, four bytes of
 * its own follow: `inEra`.
 */
export type SaltPrefix = Hex

/** Both generations are asked, each in its own words: the answer of the one that the contract is of; undefined: of none. */
export function saltPrefixOf(
  answers: readonly { readonly ok: boolean; readonly value?: unknown }[],
): SaltPrefix | undefined {
  return answers.find(({ ok }) => ok)?.value as SaltPrefix | undefined
}

/** Salts that begin a half so were signed after a split. */
const MARK: Hex = '0x53504c54'
const HALF_BYTES = 8
const EARLIER_BYTES = 4

const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
const ones = (bytes: number): Hex => `0x${'ff'.repeat(bytes)}`

/** The parts of the prefix, and where in the salt each begins. */
function partsOf(prefix: SaltPrefix): { readonly at: number; readonly part: Hex }[] {
  const bytes = size(prefix)
  if (bytes === EARLIER_BYTES) return [{ at: 0, part: prefix }]
  const starts = bytes === 2 * EARLIER_BYTES ? [0, EARLIER_BYTES] : [0, HALF_BYTES, 2 * HALF_BYTES]
  return starts
    .filter((at) => at < bytes)
    .map((at, index) => ({ at, part: slice(prefix, at, Math.min(starts[index + 1] ?? bytes, bytes)) }))
}

const isZero = (part: Hex): boolean => part === zeros(size(part))

/** What has to stand there: nothing in particular for a token never split, four bytes where those of version 1 still count. */
function wantedOf(part: Hex): Hex | null {
  if (isZero(part)) return null
  return size(part) === HALF_BYTES && isZero(slice(part, EARLIER_BYTES)) ? slice(part, 0, EARLIER_BYTES) : part
}

/** A split is under way, or a token does not tell its ratio: nothing settles, and nothing is dead either. */
export const isUnreadable = (prefix: SaltPrefix): boolean =>
  partsOf(prefix).some(({ part }) => part.toLowerCase() === ones(size(part)))

/** Whether the salt says that the shares are meant which the tokens have now. */
export function fitsPrefix(salt: Hex, prefix: SaltPrefix): boolean {
  if (isUnreadable(prefix)) return false
  return partsOf(prefix).every(({ at, part }) => {
    const wanted = wantedOf(part)
    const told = slice(salt, at, at + size(wanted ?? MARK)).toLowerCase()
    if (wanted) return told === wanted.toLowerCase()
    return size(prefix) === EARLIER_BYTES || told !== MARK
  })
}

/** A time during which the contract wanted salts to begin in one way. */
export interface SaltEra {
  /** Counts from 1. */
  readonly era: number
  readonly prefix: SaltPrefix
}

const tagOf = (era: number): Hex => slice(keccak256(encodePacked(['string', 'uint32'], ['tallystick era', era])), 0, 4)

/**
 * What the contract asks for, and what the venue knows of earlier times. A split that was undone, by another one or by a reorganisation, leads
 * back to a prefix that was there before; what was signed then must not count again. So salts of such a time carry the mark of their era.
 */
export function inEra(prefix: SaltPrefix, seen: readonly SaltEra[]): SaltPrefix {
  const last = seen.at(-1)
  if (last === undefined || isUnreadable(prefix)) return prefix
  const isKnown = seen.some((era) => era.prefix === prefix && era !== last)
  if (!isKnown) return prefix
  // It came back a moment ago: until the new era is written down, nobody knows its mark.
  return last.prefix === prefix ? concat([prefix, tagOf(last.era)]) : ones(size(prefix))
}

/** A salt that fits, with as many of the bytes as are free. */
export function saltFrom(bytes: Hex, prefix: SaltPrefix): Hex {
  return partsOf(prefix).reduce((salt, { at, part }) => {
    const wanted = wantedOf(part)
    // Random bytes that look like the mark by chance would be refused.
    const put = wanted ?? (slice(salt, at, at + size(MARK)) === MARK ? zeros(size(MARK)) : null)
    return put ? replaced(salt, at, put) : salt
  }, bytes)
}

const replaced = (salt: Hex, at: number, part: Hex): Hex => {
  const [before, after] = [at, at + size(part)]
  return concat([
    ...(before > 0 ? [slice(salt, 0, before)] : []),
    part,
    ...(after < size(salt) ? [slice(salt, after)] : []),
  ])
}

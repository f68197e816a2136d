import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Abi, Address, Hex } from 'viem'

interface CompiledContract {
  abi: Abi
  bytecode: { object: string; linkReferences: Record<string, Record<string, { start: number; length: number }[]>> }
}

export interface Artifact {
  abi: Abi
  /** With a placeholder for every library. */
  code: string
  libraries: { name: string; file: string; positions: number[] }[]
}

const compiledFolder = join(import.meta.dirname, '../../../../contracts/out')

/** What the compiler wrote for a contract: its file has its name, unless another is given. */
export function artifactOf(name: string, source = `${name}.sol`): Artifact {
  const file = join(compiledFolder, basename(source), `${name}.json`)
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8')) as CompiledContract
  const libraries = Object.entries(bytecode.linkReferences).flatMap(([file, named]) =>
    Object.entries(named).map(([name, places]) => ({ name, file, positions: places.map((place) => place.start) })),
  )
  return { abi, code: bytecode.object.replace(/^0x/, ''), libraries }
}

/** Creation code with the addresses of its libraries in place. */
export function linked(artifact: Artifact, addressOf: (library: string) => Address): Hex {
  let code = artifact.code
  for (const { name, positions } of artifact.libraries) {
    const address = addressOf(name).slice(2).toLowerCase()
    for (const position of positions) {
      const at = position * 2
      code = code.slice(0, at) + address + code.slice(at + address.length)
    }
  }
  return `0x${code}`
}

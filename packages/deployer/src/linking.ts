import type { Address, Hex } from 'viem'

/** Where the compiler left room for the addresses of libraries: file, library, places in bytes. */
export type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
>

/** Creation code that cannot run before its libraries have addresses. */
export interface Linkable {
  readonly bytecode: string
  readonly references: LinkReferences
}

export function linkedLibraries({ references }: Linkable): string[] {
  return Object.values(references).flatMap((inFile) => Object.keys(inFile))
}

export function link({ bytecode, references }: Linkable, addressOf: (library: string) => Address): Hex {
  let linked = bytecode
  for (const inFile of Object.values(references))
    for (const [library, places] of Object.entries(inFile))
      for (const { start, length } of places) {
        const from = 2 + start * 2
        linked = linked.slice(0, from) + addressOf(library).slice(2).toLowerCase() + linked.slice(from + length * 2)
      }
  if (!/^0x[0-9a-f]+$/.test(linked)) throw new Error('Creation code still has a library without an address')
  return linked as Hex
}

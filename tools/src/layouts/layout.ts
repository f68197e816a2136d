/** Where a value lies: `slot` counts from the start of its namespace or struct, `offset` counts bytes in the slot. */
export type Field = { label: string; slot: number; offset: number; type: string }

export type StorageType = {
  bytes: number
  /** Of an array: the type of its elements. */
  base?: string
  /** Of a struct. */
  members?: Field[]
  /** Of an enum, in their order. */
  values?: string[]
}

export type StorageLayout = {
  contract: string
  /** By their ERC-7201 id; `plain` are the state variables outside of any namespace. */
  namespaces: Record<string, { slot: string; fields: Field[] }>
  /** By the compiler's name of the type, which names keys, values and lengths too. */
  types: Record<string, StorageType>
}

/** One field, type or list of values per line, so that a change of one is a change of one line. */
export function renderLayout(layout: StorageLayout): string {
  const leaf = /\{(?:[^{}[\]"]|"[^"]*")*\}|\[(?:[^{}[\]"]|"[^"]*")*\]/g
  const oneLine = (text: string) => text.replace(/\s+/g, ' ')
  return `${JSON.stringify(layout, null, 2).replace(leaf, oneLine)}\n`
}

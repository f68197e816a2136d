/** In their order, as many together as stay within `most`; one that is greater by itself stands alone. */
export function packed<T>(items: readonly T[], sizeOf: (item: T) => number, most: number): T[][] {
  const packs: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    const last = packs.at(-1)
    if (last && size <= left) last.push(item)
    else {
      packs.push([item])
      left = most
    }
    left -= size
  }
  return packs
}

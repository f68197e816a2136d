/** Items by a word about them, in the order of their first. */
export function grouped<T>(items: readonly T[], wordOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const word = wordOf(item)
    const group = groups.get(word)
    if (group) group.push(item)
    else groups.set(word, [item])
  }
  return groups
}

/** In order, at most `size` at a time. */
export function portions<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

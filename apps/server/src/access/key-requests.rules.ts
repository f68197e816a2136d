/** Of each key the newest, however many come: a busy key costs no more memory and no more rows than it keeps. */
export function createNewest<T>(most: number) {
  const byKey = new Map<string, T[]>()

  return {
    add(key: string, one: T): void {
      const known = byKey.get(key)
      if (!known) byKey.set(key, [one])
      // Cut now and then, not each time: to move all the others for every new one would be dear.
      else if (known.push(one) >= 2 * most) known.splice(0, known.length - most)
    },

    /** All of them, and forgets them. */
    take(): T[] {
      const taken = [...byKey.values()].flatMap((known) => known.slice(-most))
      byKey.clear()
      return taken
    },
  }
}

/**
 * Of all who need the same lock of the database, only one asks for it at a time; the others wait here, in the order they came, and hold no
 * connection meanwhile. So whoever holds a lock for long keeps one connection of this process waiting, not all of them.
 */
export function createLockTurns() {
  const last = new Map<string, Promise<void>>()

  return async function inTurn<T>(locks: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = locks.flatMap((lock) => last.get(lock) ?? [])
    let leave: () => void = () => undefined
    const own = new Promise<void>((resolve) => {
      leave = resolve
    })
    // All at once, so that two who need the same two locks cannot wait for each other.
    for (const lock of locks) last.set(lock, own)
    await Promise.all(before)
    try {
      return await work()
    } finally {
      for (const lock of locks) if (last.get(lock) === own) last.delete(lock)
      leave()
    }
  }
}

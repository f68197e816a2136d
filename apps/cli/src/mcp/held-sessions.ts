import { isSameKey } from './callers.rules.ts'

interface Held {
  close(): Promise<void>
}

interface Entry<Session> {
  readonly apiKey: string
  readonly session: Session
  lastUsedAt: number
}

export interface SessionLimits {
  /** Of all callers together: every one holds the tools of its key in memory. */
  readonly most: number
  /** Of one key: whoever forgets to end sessions ends their own, and leaves room for others. */
  readonly mostOfKey: number
  readonly idleMs: number
}

/** The sessions that are open, each with the key that opened it. */
export function holdSessions<Session extends Held>({ most, mostOfKey, idleMs }: SessionLimits, now: () => number) {
  const entries = new Map<string, Entry<Session>>()
  /** Asked for and not yet begun. */
  let opening = 0

  async function close(id: string): Promise<void> {
    const entry = entries.get(id)
    entries.delete(id)
    await entry?.session.close()
  }

  /** Ends those of a key that were not used for longest, until one more fits. */
  async function makeRoom(apiKey: string): Promise<void> {
    const own = [...entries].filter(([, entry]) => isSameKey(entry.apiKey, apiKey))
    const inOrder = own.toSorted(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt)
    for (const [id] of inOrder.slice(0, Math.max(0, own.length + 1 - mostOfKey))) await close(id)
  }

  return {
    /** Runs `begin`, which may add a session. False: there is no room, and it was not run. */
    async opening(apiKey: string, begin: () => Promise<void>): Promise<boolean> {
      await makeRoom(apiKey)
      if (entries.size + opening >= most) return false
      opening += 1
      try {
        await begin()
        return true
      } finally {
        opening -= 1
      }
    },
    add: (id: string, apiKey: string, session: Session): void =>
      void entries.set(id, { apiKey, session, lastUsedAt: now() }),
    /** Only for the key that opened it. */
    find(id: string, apiKey: string): Session | undefined {
      const entry = entries.get(id)
      if (!entry || !isSameKey(entry.apiKey, apiKey)) return undefined
      entry.lastUsedAt = now()
      return entry.session
    },
    /** It was closed by the one who opened it. */
    forget: (id: string): void => void entries.delete(id),
    async closeIdle(): Promise<void> {
      for (const [id, { lastUsedAt }] of entries) if (now() - lastUsedAt > idleMs) await close(id)
    },
    async closeAll(): Promise<void> {
      for (const id of entries.keys()) await close(id)
    },
  }
}

import type postgres from 'postgres'
import type { ConnectionOptions } from './connection.ts'

/**
 * Short words between processes that share a database. They may get lost, together or one by one: whoever listens must be right
 * without them, and is only sooner with them.
 */
export interface Signals {
  /** Never waits and never fails. The same word sent again before the first one left is one word. */
  send(channel: string, word: string): void
  /** `onMissed` is called whenever words may have been lost. Answers how to stop. */
  listen(channel: string, onWord: (word: string) => void, onMissed: () => void): () => void
  close(): Promise<void>
}

interface Listener {
  readonly channel: string
  readonly onWord: (word: string) => void
  readonly onMissed: () => void
}

export type OpenSignals = (
  options: Pick<ConnectionOptions, 'settings' | 'onNotice'>,
  onLost: () => void,
) => postgres.Sql

const RETRY_MS = 500
/** A lost word is no loss: no reason to wait for the disk. */
const settings = { synchronous_commit: 'off' }

/** One connection, made when first needed: it listens, and sends what piled up while the last statement was on its way. */
export function createSignals(open: OpenSignals): Signals {
  const listeners = new Set<Listener>()
  const waiting = new Map<string, { channel: string; word: string }>()
  let connection: postgres.Sql | undefined
  let retry: NodeJS.Timeout | undefined
  let isSending = false
  let isClosed = false

  function sql(): postgres.Sql {
    connection ??= connect()
    return connection
  }

  /** A broken connection is never used again: the driver keeps what did not leave, and would send it before its next login. */
  function connect(): postgres.Sql {
    const made = open({ settings, onNotice }, () => {
      if (connection === made) connection = undefined
      void made.end({ timeout: 0 })
      lost()
    })
    return made
  }

  function onNotice(channel: string, word: string): void {
    for (const listener of listeners) if (listener.channel === channel) listener.onWord(word)
  }

  function lost(): void {
    if (isClosed || listeners.size === 0 || retry) return
    retry = setTimeout(() => {
      retry = undefined
      void attach(new Set([...listeners].map(({ channel }) => channel)))
    }, RETRY_MS).unref()
  }

  /** What was said before it listens is missed. */
  async function attach(channels: ReadonlySet<string>): Promise<void> {
    try {
      for (const channel of channels) await sql().unsafe(`listen ${channel}`)
      for (const listener of listeners) if (channels.has(listener.channel)) listener.onMissed()
    } catch {
      lost()
    }
  }

  async function sendAll(): Promise<void> {
    isSending = true
    while (waiting.size > 0 && !isClosed) {
      const words = [...waiting.values()]
      waiting.clear()
      const [channels, texts] = [words.map(({ channel }) => channel), words.map(({ word }) => word)]
      await sql()`select pg_notify(c, w) from unnest(${channels}::text[], ${texts}::text[]) as said(c, w)`.catch(
        () => {},
      )
    }
    isSending = false
  }

  return {
    send(channel, word) {
      waiting.set(`${channel} ${word}`, { channel, word })
      if (!isSending && !isClosed) void sendAll()
    },
    listen(channel, onWord, onMissed) {
      const listener = { channel, onWord, onMissed }
      const isFirst = ![...listeners].some((other) => other.channel === channel)
      listeners.add(listener)
      if (isFirst) void attach(new Set([channel]))
      return () => {
        listeners.delete(listener)
        const isLast = ![...listeners].some((other) => other.channel === channel)
        if (isLast && !isClosed)
          void sql()
            .unsafe(`unlisten ${channel}`)
            .catch(() => {})
      }
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await connection?.end({ timeout: 5 })
    },
  }
}

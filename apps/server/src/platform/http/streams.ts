import { randomUUID } from 'node:crypto'
import { AppError } from '../app-error.ts'
import { DatabaseUnavailableError, type TenantDatabase } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { StreamConnection, StreamMessage } from './stream-connections.ts'
import type { Slot, StreamSlots } from './stream-slots.ts'

export type { StreamMessage } from './stream-connections.ts'

/** Where a source puts its messages. After `end` nothing is sent any more. */
export interface StreamSink {
  send(message: StreamMessage): void
  /** Resolves when the listener has taken what was sent before, or is gone: a source that can wait does. */
  drained(): Promise<void>
  /** The last word, a code. */
  end(reason: string): void
}

export interface RunningStream {
  heartbeat(): StreamMessage
  stop(): void
}

/** What a stream shows. All that can be refused was checked before; what goes wrong later ends it. */
export interface StreamSource {
  start(sink: StreamSink): RunningStream
  /** Throws when the caller may not listen any more. */
  check(tenant: TenantDatabase): Promise<void>
  /** Set where the check looks and does nothing else: of all that a key listens to by the same name, one is checked for all. */
  readonly checkedAs?: string
}

export interface StreamSettings {
  readonly heartbeatMs?: number
  /** How long a key may be revoked before its streams end. */
  readonly recheckMs?: number
  /** Streams that one key may have open at once. */
  readonly perKey?: number
  /** What may wait for a listener, in bytes, before it counts as too slow. */
  readonly mostBuffered?: number
}

/** A stream that may begin: what it will show, and the place that it was given. */
export interface OpenedStream {
  readonly source: StreamSource
  readonly slot: Slot
}

/** That a listener may still listen. */
export interface Proof {
  /** The same for all to whom the same answer applies: the key, and what it listens to. */
  readonly of: string
  /** Throws when the key or its right to listen is gone. */
  prove(): Promise<void>
}

/** What was proven in one round, by what it is of: asked once, however many listen. */
type Round = Map<string, Promise<void>>

interface Open {
  readonly slot: Slot
  end(reason: string): void
  beat(): void
  recheck(round: Round): Promise<void>
}

const HEARTBEAT_MS = 15_000
const RECHECK_MS = 5_000
const PER_KEY = 100
const MOST_BUFFERED = 4 * 1024 * 1024
/** A listener that reads is told the reason; one that does not is not waited for. */
const LAST_WORD_MS = 1_000

interface StreamHubParts extends StreamSettings {
  readonly slots: StreamSlots
  readonly log: Log
  readonly onCount?: ((open: number) => void) | undefined
}

/** All streams that this process serves, whatever they carry. */
export function createStreamHub({ slots, log, onCount, ...settings }: StreamHubParts) {
  const { heartbeatMs = HEARTBEAT_MS, recheckMs = RECHECK_MS } = settings
  const { perKey = PER_KEY, mostBuffered = MOST_BUFFERED } = settings
  const streams = new Set<Open>()
  let timers: NodeJS.Timeout[] = []
  let isClosing = false

  const told = (error: unknown) => log.error({ err: error }, 'the streams of a key could not be counted')

  function keepSlots(): void {
    slots.keep([...streams].map(({ slot }) => slot)).catch(told)
  }

  function leave(slot: Slot): void {
    slots.leave(slot).catch(told)
  }

  function add(stream: Open): void {
    streams.add(stream)
    onCount?.(streams.size)
    if (streams.size > 1) return
    timers = [
      setInterval(() => {
        for (const one of streams) one.beat()
      }, heartbeatMs).unref(),
      setInterval(() => {
        const round: Round = new Map()
        for (const one of streams) void one.recheck(round)
        keepSlots()
      }, recheckMs).unref(),
    ]
  }

  function remove(stream: Open): void {
    streams.delete(stream)
    leave(stream.slot)
    onCount?.(streams.size)
    if (streams.size === 0) for (const timer of timers) clearInterval(timer)
  }

  return {
    /** Before a stream starts, while it can still be refused. */
    async admit(keyId: string): Promise<Slot> {
      const slot = { keyId, slotId: randomUUID() }
      if (!(await slots.take(slot, perKey))) throw new AppError('STREAM_LIMIT_REACHED')
      return slot
    },

    /** A stream that was admitted and will not begin; to say it twice, or later, does no harm. */
    leave,

    /** Serves one stream until either side ends it. */
    run(connection: StreamConnection, { source, slot }: OpenedStream, proof: Proof): void {
      let isOver = false
      let isChecking = false
      let running: RunningStream | undefined

      function goAway(): void {
        if (isOver) return
        isOver = true
        remove(stream)
        running?.stop()
      }
      const sink: StreamSink = {
        send(message) {
          if (isOver) return
          if (connection.buffered() > mostBuffered) sink.end('SLOW_CONSUMER')
          else connection.send(message)
        },
        drained: () => (isOver ? Promise.resolve() : connection.drained()),
        end(reason) {
          if (isOver) return
          goAway()
          connection.send({ event: 'end', data: JSON.stringify({ type: 'end', reason }) })
          connection.close(reason)
          setTimeout(() => connection.destroy(), LAST_WORD_MS).unref()
        },
      }
      const stream: Open = {
        slot,
        end: sink.end,
        beat() {
          if (!connection.isAlive()) connection.destroy()
          else if (running) sink.send(running.heartbeat())
        },
        async recheck(round) {
          if (isChecking) return
          isChecking = true
          try {
            const proving = round.get(proof.of) ?? proof.prove()
            round.set(proof.of, proving)
            await proving
          } catch (error) {
            // Without the database there is no news to keep from anybody.
            if (error instanceof DatabaseUnavailableError) return
            if (!(error instanceof AppError)) log.error({ err: error }, 'a stream could not be checked')
            sink.end(error instanceof AppError ? error.code : 'INTERNAL_ERROR')
          } finally {
            isChecking = false
          }
        },
      }
      connection.onGone(goAway)
      add(stream)
      if (isClosing) sink.end('SERVER_SHUTDOWN')
      else running = source.start(sink)
      if (isOver) running?.stop()
    },

    /** So that a server that stops need not wait for its listeners. */
    endAll(): void {
      isClosing = true
      for (const stream of streams) stream.end('SERVER_SHUTDOWN')
    },
  }
}

export type StreamHub = ReturnType<typeof createStreamHub>

/** One part that requests stand on. */
export interface Readiness {
  readonly part: string
  /**
   * False: without it the process still serves what does not need it, and no other process would do better, so traffic is not taken from
   * it. A chain whose nodes are silent is such a part: it would take every process out of service at once.
   */
  readonly required?: boolean
  /** Resolves when the part works; rejects or answers a sentence when it does not. */
  check(): Promise<string | undefined>
}

export interface PartState {
  readonly part: string
  readonly ready: boolean
  readonly reason: string | null
}

export interface ReadyState {
  readonly status: 'ready' | 'degraded' | 'not ready'
  readonly parts: readonly PartState[]
}

const CHECK_TIMEOUT_MS = 2_000
/** A look is good for so long, however many ask. */
const LOOK_EVERY_MS = 500

async function settled({ part, check }: Readiness): Promise<PartState> {
  const timeout = new Promise<string>((resolve) =>
    setTimeout(() => resolve('no answer in time'), CHECK_TIMEOUT_MS).unref(),
  )
  try {
    const reason = (await Promise.race([check(), timeout])) ?? null
    return { part, ready: reason === null, reason }
  } catch (error) {
    return { part, ready: false, reason: error instanceof Error ? error.name : 'failed' }
  }
}

export const mayServe = ({ status }: ReadyState): boolean => status !== 'not ready'

/** Looks at all parts. Anybody may ask, and no crowd costs more than one look in half a second. */
export function readinessLook(readiness: readonly Readiness[]): () => Promise<ReadyState> {
  let latest: Promise<ReadyState> | undefined
  let endedAt: number | undefined

  async function look(): Promise<ReadyState> {
    const parts = await Promise.all(readiness.map(settled))
    const isReady = (isCounted: (one: Readiness) => boolean) =>
      readiness.every((one, index) => !isCounted(one) || parts[index]?.ready)
    if (!isReady(({ required }) => required !== false)) return { status: 'not ready', parts }
    return { status: isReady(() => true) ? 'ready' : 'degraded', parts }
  }
  return () => {
    const isOld = endedAt !== undefined && performance.now() - endedAt > LOOK_EVERY_MS
    if (!latest || isOld) {
      endedAt = undefined
      latest = look().finally(() => {
        endedAt = performance.now()
      })
    }
    return latest
  }
}

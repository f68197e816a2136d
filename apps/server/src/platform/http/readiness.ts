/** One part that must work before requests can be served. */
export interface Readiness {
  readonly part: string
  /** Resolves when the part works; rejects or answers a sentence when it does not. */
  check(): Promise<string | undefined>
}

export interface PartState {
  readonly part: string
  readonly ready: boolean
  readonly reason: string | null
}

export interface ReadyState {
  readonly status: 'ready' | 'not ready'
  readonly parts: readonly PartState[]
}

const CHECK_TIMEOUT_MS = 2_000

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

/** Looks at all parts. Who asks while a look is under way gets its answer: anybody may ask, and no crowd costs more than one. */
export function readinessLook(readiness: readonly Readiness[]): () => Promise<ReadyState> {
  let underWay: Promise<ReadyState> | undefined

  async function look(): Promise<ReadyState> {
    const parts = await Promise.all(readiness.map(settled))
    return { status: parts.every(({ ready }) => ready) ? 'ready' : 'not ready', parts }
  }
  return () => {
    underWay ??= look().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

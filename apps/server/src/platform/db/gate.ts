/** What everybody passes who is about to connect to one address. */
export interface Gate {
  /** Undefined: go ahead. Otherwise what the next try comes to, or, while it is not due for some time, what the last one came to. */
  entry(): Promise<void> | undefined
  /** A connection ended that nobody here wanted to end: whether the next one will be answered is not known. */
  doubt(): void
}

/** Between two tries, the more of them failed the longer. A database that came back is noticed within the last of these. */
const PAUSES_MS = [0, 50, 100, 150, 200, 250] as const
/** A pause that is waited for: one try or two may have been unlucky. In a longer one everybody is told at once what the last try came to. */
const WAITED_MS = 100
/** A try that says nothing for so long goes on, and another one begins beside it: an address may lead to another machine by now. */
const SILENT_MS = 1_000
/** Lost again so soon after a try was answered: whoever lets one in may not let all in. */
const RELAPSE_MS = 1_000

export const pauseAfter = (failures: number): number => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0

/** Given by tests that do not want to wait. */
export interface GateTime {
  now(): number
  /** Answers how to call it off. */
  later(work: () => void, ms: number): () => void
}

const realTime: GateTime = {
  now: () => performance.now(),
  later(work, ms) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

interface Waiter {
  readonly go: () => void
  readonly fail: (fault: unknown) => void
}

/**
 * A pool whose database is away would connect again for every request, and the logins of all processes together keep a pooler from serving
 * anybody. Here one connection tries for all of them, and only when somebody asks. Nobody is kept waiting for long: requests that are held fill
 * the house, and are answered no better for it.
 */
export function createGate(tryOnce: () => Promise<void>, time: GateTime = realTime): Gate {
  let isOpen = true
  let failures = 0
  let nextAt = 0
  let openedAt = Number.NEGATIVE_INFINITY
  let waiters: Waiter[] = []
  /** What the last try came to, until the next one begins. */
  let lastFault: { readonly of: unknown } | undefined
  let callOff = () => {}

  const takeWaiters = (): Waiter[] => {
    const all = waiters
    waiters = []
    return all
  }

  function plan(): void {
    callOff()
    callOff = waiters.length === 0 ? () => {} : time.later(begin, Math.max(0, nextAt - time.now()))
  }

  function begin(): void {
    nextAt = time.now() + SILENT_MS
    lastFault = undefined
    tryOnce().then(open, failed)
    plan()
  }

  function open(): void {
    isOpen = true
    openedAt = time.now()
    for (const { go } of takeWaiters()) go()
    plan()
  }

  function failed(fault: unknown): void {
    // Another try was answered meanwhile.
    if (isOpen) return
    failures += 1
    lastFault = { of: fault }
    nextAt = time.now() + pauseAfter(failures)
    for (const { fail } of takeWaiters()) fail(fault)
    plan()
  }

  return {
    entry() {
      if (isOpen) return undefined
      if (lastFault && pauseAfter(failures) > WAITED_MS && time.now() < nextAt) return Promise.reject(lastFault.of)
      return new Promise((go, fail) => {
        waiters.push({ go, fail })
        if (waiters.length === 1) plan()
      })
    },
    doubt() {
      if (!isOpen) return
      isOpen = false
      lastFault = undefined
      failures = time.now() - openedAt < RELAPSE_MS ? 1 : 0
      nextAt = time.now() + pauseAfter(failures)
    },
  }
}

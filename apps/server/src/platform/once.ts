/** What is kept with an idempotency key, and answered again to whoever repeats the request. */
export interface KeptAnswer {
  readonly status: number
  readonly body: string
}

/**
 * A request with an idempotency key, for a handler that commits the key together with what it does. It asks for the answer at the moment
 * it knows the outcome, and sends exactly that one once it is committed.
 */
export interface Once {
  readonly operation: string
  readonly key: string
  readonly fingerprint: Buffer
  answered(data: unknown): KeptAnswer
  /** Null: a refusal that is not kept, since trying again may help. */
  refused(error: unknown): KeptAnswer | null
}

/** The key was used before: this was answered. */
export class ReplayedAnswer extends Error {
  readonly fingerprint: Buffer
  readonly answer: KeptAnswer

  constructor(fingerprint: Buffer, answer: KeptAnswer) {
    super('the key was used before')
    this.fingerprint = fingerprint
    this.answer = answer
  }
}

/** Nothing was done: the key cannot be kept that way now, and has to be claimed like any other. */
export class NotKeptOnce extends Error {}

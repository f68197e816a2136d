import { AppError } from '../../platform/app-error.ts'
import { type KeptAnswer, ReplayedAnswer } from '../../platform/once.ts'
import type { UnitRequest } from './group.ts'
import { nameOfKey } from './lane-facts.ts'
import type { FoundKey, KeptKey } from './lane-rows.rules.ts'

/** How a request ends whose key was used before. */
export const asUsed = ({ fingerprint, status, body }: FoundKey | KeptKey): Error =>
  fingerprint === null || status === null || body === null
    ? new AppError('IDEMPOTENCY_IN_FLIGHT')
    : new ReplayedAnswer(Buffer.from(fingerprint, 'hex'), { status, body })

/** Performs a request and keeps its answer under its key, a refusal too. */
export function keepingKey(request: UnitRequest<unknown>, keys: Map<string, KeptKey>): UnitRequest<unknown> {
  const { once } = request
  if (!once) return request
  const { operation, key, fingerprint } = once
  const name = nameOfKey(once)
  const keep = (answer: KeptAnswer | null) => {
    if (!answer) return
    const { status, body } = answer
    keys.set(name, { operation, key, fingerprint: fingerprint.toString('hex'), status, body })
  }
  const perform: typeof request.perform = (turn) => {
    if (keys.has(name)) throw new AppError('IDEMPOTENCY_IN_FLIGHT')
    try {
      const value = request.perform(turn)
      keep(once.answered(value))
      return value
    } catch (error) {
      if (error instanceof AppError) keep(once.refused(error))
      throw error
    }
  }
  return { ...request, perform }
}

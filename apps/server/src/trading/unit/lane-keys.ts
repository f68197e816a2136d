import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { type KeptAnswer, ReplayedAnswer } from '../../platform/once.ts'
import type { UnitRequest } from './group.ts'
import { findKeys } from './lane.store.ts'
import { nameOfKey } from './lane-facts.ts'
import type { FoundKey, KeptKey, KeyName } from './lane-rows.rules.ts'

/** How a request ends whose key was used before. */
export const asUsed = ({ fingerprint, status, body }: FoundKey | KeptKey): AppError | ReplayedAnswer =>
  fingerprint === null || status === null || body === null
    ? new AppError('IDEMPOTENCY_IN_FLIGHT')
    : new ReplayedAnswer(Buffer.from(fingerprint, 'hex'), { status, body })

/** How requests of an instance with these keys ended before, by their names. */
export async function endsOfKeys(
  tenant: TenantDatabase,
  asked: readonly KeyName[],
  now: Date,
): Promise<ReadonlyMap<string, AppError | ReplayedAnswer>> {
  if (asked.length === 0) return new Map()
  const found = await tenant.read((sql) => findKeys(sql, tenant.instanceId, asked, now))
  return new Map(found.map((one) => [nameOfKey(one), asUsed(one)]))
}

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

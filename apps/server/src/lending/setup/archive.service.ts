import { findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { archiveRecord } from './archive.store.ts'

/** Takes a record out of the list of its instance. The market itself knows nothing of it. */
export function createArchive({ clock }: LendingParts) {
  return async function archive(call: MarketCall, marketId: string) {
    const { tenant } = call
    await findMarket(call, marketId)
    const archivedAt = await tenant.transaction((sql) => archiveRecord(sql, tenant.instanceId, marketId, clock.now()))
    return { data: { marketId, active: false as const, archivedAt: archivedAt.toISOString() } }
  }
}

export type Archive = ReturnType<typeof createArchive>

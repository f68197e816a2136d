import { expireRfq } from '@tallystick/engine'
import type { Sql } from '../../platform/db/database.ts'
import type { Notices } from './notices.service.ts'
import type { RfqParts } from './parts.ts'
import { asRfq, asStored } from './rfq.rules.ts'
import * as store from './rfq.store.ts'
import { writeStep } from './rfq-rows.ts'
import { freedBy } from './steps.ts'

const AT_ONCE = 100

/**
 * Writes down the deadlines that have passed, and frees what was reserved until then. Reads and writes do not wait for it. Crosses
 * instances, so it works as the operator. Each request in a commit of its own; one that somebody else is at is left for the next turn.
 */
export function createSweep({ database, agreed, notices }: RfqParts & { readonly notices: Notices }) {
  async function sweepOne(sql: Sql, instanceId: string, rfqId: string): Promise<boolean> {
    const [locked] = await store.lockIfFree(sql, instanceId, rfqId)
    const [before] = locked ? asStored(await store.readRfq(sql, instanceId, rfqId)) : []
    if (!before) return false
    const { row, readAt } = before
    const step = expireRfq(asRfq(before), readAt.getTime())
    if (step.events.length === 0) return false
    const place = { chainId: Number(row.chainId), custody: row.custodyContract }
    await agreed.free(sql, place, freedBy(before, step), readAt)
    await writeStep(sql, before, step)
    return true
  }

  return {
    /** How many requests were changed, and whether there may be more. */
    async sweep(): Promise<{ swept: number; isFull: boolean }> {
      const due = await database.as('tally_operator', (sql) => store.findDue(sql, AT_ONCE))
      let swept = 0
      for (const { instanceId, rfqId } of due) {
        const isSwept = await database.as('tally_operator', (sql) => sweepOne(sql, instanceId, rfqId))
        if (!isSwept) continue
        swept += 1
        notices.announce(instanceId)
      }
      return { swept, isFull: due.length === AT_ONCE && swept > 0 }
    },
  }
}

export type Sweep = ReturnType<typeof createSweep>

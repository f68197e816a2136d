import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import type { Sql } from '../../platform/db/database.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import type { MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import * as store from './deliveries.store.ts'
import { findHook } from './hooks.service.ts'
import { lockHook } from './hooks.store.ts'
import { messageFor } from './messages.ts'

type PageQuery = QueryOf<typeof lendingOperations.listDeliveries>

const TEST_TYPE = 'hook.test'
const cursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function shown({ deliveryId, body, dueAt, createdAt, attemptedAt, deliveredAt, ...row }: store.DeliveryRow) {
  return {
    id: deliveryId,
    ...row,
    nextAttemptAt: dueAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    attemptedAt: attemptedAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    payload: JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> },
  }
}

/** The log of a hook, and messages that its owner asks for. */
export function createDeliveries({ clock, random }: LendingParts) {
  /** Queues a message of a hook that is on, and nobody switches off meanwhile. */
  async function queue(
    { tenant }: MarketCall,
    { hookId, marketId }: { hookId: string; marketId: string },
    choose: (sql: Sql) => Promise<store.NewDelivery | store.DeliveryRow>,
  ) {
    const { instanceId } = tenant
    return tenant.transaction(async (sql) => {
      if (!(await lockHook(sql, instanceId, marketId, hookId))) throw new AppError('HOOK_NOT_FOUND')
      const message = await choose(sql)
      if ('instanceId' in message) await store.insertDeliveries(sql, [message])
      const [row] = await store.findDelivery(sql, instanceId, hookId, message.deliveryId)
      if (!row) throw new Error('a message vanished while it was queued')
      return { data: shown(row) }
    })
  }

  return {
    async list(call: MarketCall, marketId: string, hookId: string, query: PageQuery) {
      await findHook(call, marketId, hookId)
      const { tenant } = call
      const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
      const [before = null] = readCursor(query.cursor, cursorForm) ?? []
      const [rows, [count]] = await Promise.all([
        tenant.read((sql) =>
          store.listDeliveries(sql, tenant.instanceId, hookId, { before, limit: limit + 1, offset }),
        ),
        tenant.read((sql) => store.countDeliveries(sql, tenant.instanceId, hookId)),
      ])
      const deliveries = rows.slice(0, limit).map(shown)
      const hasMore = rows.length > limit
      const last = deliveries.at(-1)
      const nextCursor = hasMore && last ? asCursor([last.id]) : null
      return { data: { deliveries, total: count?.total ?? 0, hasMore, limit, offset, nextCursor } }
    },

    async test(call: MarketCall, marketId: string, hookId: string) {
      const hook = await findHook(call, marketId, hookId)
      if (!hook.active) throw new AppError('HOOK_INACTIVE')
      const { instanceId } = call.tenant
      return queue(call, hook, async (sql) => {
        const [waiting] = await store.findWaiting(sql, instanceId, hookId, { type: TEST_TYPE })
        if (waiting) return waiting
        const event = { type: TEST_TYPE, data: { name: hook.name, kind: hook.kind } }
        return messageFor({ instanceId, hookId, marketId }, event, { clock, random })
      })
    },

    async redeliver(call: MarketCall, marketId: string, hookId: string, deliveryId: string) {
      const hook = await findHook(call, marketId, hookId)
      const { tenant } = call
      const { instanceId } = tenant
      const [known] = isUuid(deliveryId)
        ? await tenant.read((sql) => store.findDelivery(sql, instanceId, hookId, deliveryId))
        : []
      if (!known) throw new AppError('DELIVERY_NOT_FOUND')
      if (!hook.active) throw new AppError('HOOK_INACTIVE')
      return queue(call, hook, async (sql) => {
        const { webhookId, type, body } = known
        const [waiting] = await store.findWaiting(sql, instanceId, hookId, { webhookId })
        if (waiting) throw new AppError('DELIVERY_PENDING')
        const fresh = { deliveryId: newId(clock, random), createdAt: clock.now(), redeliveryOf: deliveryId }
        return { instanceId, hookId, webhookId, type, body, ...fresh }
      })
    },
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>

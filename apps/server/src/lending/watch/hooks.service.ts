import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { type Act, type Administered, actBetween, type Fields } from '../../platform/db/audit.ts'
import type { Sql } from '../../platform/db/database.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { RefusedTargetError } from '../../platform/outgoing/outgoing-targets.ts'
import { findDeployedMarket, findMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { endWaiting } from './deliveries.store.ts'
import { type LimitRequest, limitFrom, shownLimit } from './hook.rules.ts'
import * as store from './hooks.store.ts'
import { asSecret, OVERLAP_MS, SECRET_BYTES } from './signature.rules.ts'

type CreateBody = BodyOf<typeof lendingOperations.createHook>
type UpdateBody = BodyOf<typeof lendingOperations.updateHook>

const MOST_HOOKS = 20

function shown({ hookId, threshold, goneAt, createdAt, updatedAt, ...row }: store.HookRow) {
  return {
    id: hookId,
    ...row,
    ...shownLimit(row.kind, threshold),
    goneAt: goneAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

type ShownHook = ReturnType<typeof shown>

function audited(row: store.HookRow): Fields {
  const { marketId, name, kind, url, active, threshold, seconds, updatedAt } = shown(row)
  return { marketId, name, kind, url, active, threshold, seconds, updatedAt }
}

/** Where a URL leads says who is told; the rest of it may be all that keeps others from telling the same. */
function withoutPath(fields: Fields | null): Fields | null {
  if (fields === null || typeof fields.url !== 'string') return fields
  return { ...fields, url: `${new URL(fields.url).origin}/…` }
}

const hookAct = ({ subject, before, after }: Act): Act => ({
  subject,
  before: withoutPath(before),
  after: withoutPath(after),
})

/** The hook that a path names, on a market that the caller has. */
export async function findHook(call: MarketCall, marketId: string, hookId: string): Promise<store.HookRow> {
  await findMarket(call, marketId)
  const { tenant } = call
  const [row] = isUuid(hookId)
    ? await tenant.read((sql) => store.findHook(sql, tenant.instanceId, marketId, hookId))
    : []
  if (!row) throw new AppError('HOOK_NOT_FOUND')
  return row
}

/** Rules of an instance about a market, and where they are told. */
export function createHooks({ clock, random, webhooks }: LendingParts) {
  async function requireTarget(url: string): Promise<void> {
    try {
      await webhooks.check(url)
    } catch (error) {
      if (error instanceof RefusedTargetError) throw new AppError('WEBHOOK_URL_REFUSED', { detail: error.message })
      throw error
    }
  }

  /** Changes a hook, which nobody else changes or fires meanwhile, and answers it as it is then. */
  async function change(
    call: MarketCall,
    { hookId, marketId }: store.HookRow,
    work: (sql: Sql, instanceId: string, hook: store.HookRow) => Promise<void>,
  ): Promise<Administered<ShownHook>> {
    const { tenant } = call
    const { instanceId } = tenant
    return tenant.transaction(async (sql) => {
      const find = async () => {
        const [row] = await store.findHook(sql, instanceId, marketId, hookId)
        if (!row) throw new AppError('HOOK_NOT_FOUND')
        return row
      }
      await store.lockHook(sql, instanceId, marketId, hookId)
      const before = await find()
      await work(sql, instanceId, before)
      const after = await find()
      const act = actBetween(hookId, audited(before), audited(after))
      return { data: shown(after), act: act && hookAct(act) }
    })
  }

  return {
    async create(call: MarketCall, marketId: string, body: CreateBody) {
      await findDeployedMarket(call, marketId)
      const threshold = requireLimit(body)
      await requireTarget(body.url)
      const { tenant } = call
      const { instanceId } = tenant
      const secret = asSecret(random(SECRET_BYTES))
      const hookId = newId(clock, random)
      return tenant.transaction(async (sql) => {
        if ((await store.lockMarketHooks(sql, instanceId, marketId)) >= MOST_HOOKS)
          throw new AppError('HOOK_LIMIT_REACHED')
        const { name, kind, url, active = true } = body
        const now = clock.now()
        await store.insertHook(sql, instanceId, { hookId, marketId, name, kind, url, active, threshold, secret, now })
        const [row] = await store.findHook(sql, instanceId, marketId, hookId)
        if (!row) throw new Error('a hook vanished while it was created')
        return {
          data: { ...shown(row), secret },
          act: hookAct({ subject: hookId, before: null, after: audited(row) }),
        }
      })
    },

    async list(call: MarketCall, marketId: string) {
      await findMarket(call, marketId)
      const { tenant } = call
      const rows = await tenant.read((sql) => store.listHooks(sql, tenant.instanceId, marketId))
      return { data: { hooks: rows.map(shown) } }
    },

    async get(call: MarketCall, marketId: string, hookId: string) {
      return { data: shown(await findHook(call, marketId, hookId)) }
    },

    async update(call: MarketCall, marketId: string, hookId: string, body: UpdateBody) {
      const found = await findHook(call, marketId, hookId)
      const merged = mergedLimit(found, body)
      if (body.url !== undefined) await requireTarget(body.url)
      return change(call, found, async (sql, instanceId, hook) => {
        const now = clock.now()
        const { name = hook.name, url = hook.url } = body
        await store.changeHook(sql, instanceId, hookId, { ...merged, name, url, now })
        if (hook.kind !== merged.kind || hook.threshold !== merged.threshold)
          await store.rearmHook(sql, instanceId, hook, now)
      })
    },

    async toggle(call: MarketCall, marketId: string, hookId: string, active: boolean) {
      const found = await findHook(call, marketId, hookId)
      return change(call, found, async (sql, instanceId, hook) => {
        if (hook.active === active) return
        const now = clock.now()
        await store.switchHook(sql, instanceId, hookId, active, now)
        await store.rearmHook(sql, instanceId, hook, now)
        if (!active) await endWaiting(sql, instanceId, hookId, 'the hook was switched off')
      })
    },

    async rotateSecret(call: MarketCall, marketId: string, hookId: string) {
      const found = await findHook(call, marketId, hookId)
      const secret = asSecret(random(SECRET_BYTES))
      const now = clock.now()
      const previousUntil = new Date(now.getTime() + OVERLAP_MS)
      const { data, act } = await change(call, found, (sql, instanceId) =>
        store.setSecret(sql, instanceId, hookId, { secret, previousUntil, now }),
      )
      const previousSecretUntil = previousUntil.toISOString()
      return { data: { id: hookId, secret, rotatedAt: data.updatedAt, previousSecretUntil }, act }
    },

    async remove(call: MarketCall, marketId: string, hookId: string) {
      await findHook(call, marketId, hookId)
      const { tenant } = call
      const { instanceId } = tenant
      return tenant.transaction(async (sql) => {
        await store.lockHook(sql, instanceId, marketId, hookId)
        const [hook] = await store.findHook(sql, instanceId, marketId, hookId)
        if (!hook) throw new AppError('HOOK_NOT_FOUND')
        await store.deleteHook(sql, instanceId, hookId)
        const act = hookAct({ subject: hookId, before: audited(hook), after: null })
        return { data: { id: hookId, deleted: true as const }, act }
      })
    },
  }
}

function requireLimit(request: LimitRequest): bigint | null {
  const { limit, faults } = limitFrom(request)
  if (faults.length > 0) throw fieldError('VALIDATION_ERROR', faults)
  return limit
}

/** What was not sent stays, but a limit does not outlive the kind it belonged to. */
function mergedLimit(hook: store.HookRow, body: UpdateBody) {
  const kind = body.kind ?? hook.kind
  const kept = kind === hook.kind ? shownLimit(kind, hook.threshold) : { threshold: null, seconds: null }
  const threshold = body.threshold ?? kept.threshold ?? undefined
  const seconds = body.seconds ?? kept.seconds ?? undefined
  return { kind, threshold: requireLimit({ kind, threshold, seconds }) }
}

export type Hooks = ReturnType<typeof createHooks>

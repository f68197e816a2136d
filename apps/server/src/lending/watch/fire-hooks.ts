import type { Block } from '../../platform/chain/block.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/db/database.ts'
import type { Random } from '../../platform/random.ts'
import { type HookEvent, healedEvent, orphanedEvent, seizedEvent, shortfallEvent } from './alert.rules.ts'
import * as store from './alerts.store.ts'
import { insertDeliveries } from './deliveries.store.ts'
import { portions } from './lists.rules.ts'
import { messageFor } from './messages.ts'

export interface FiringTools {
  readonly clock: Clock
  readonly random: Random
  /** The block whose state is told of. */
  readonly block: Block
}

/** What a rule found. `holds` and `unknown` are told apart by the subject: a loan, a shortfall, a notice. */
export interface Findings {
  readonly holds: ReadonlyMap<string, HookEvent>
  /** Not read this time: told of later, recovered later. */
  readonly unknown?: ReadonlySet<string>
  /** One event for many subjects, where they come in crowds. */
  readonly together?: (subjects: readonly string[]) => HookEvent
  /** Where the end of it is worth a message too. */
  readonly ended?: (subjects: readonly string[]) => Promise<HookEvent[]>
}

const SUBJECTS_PER_EVENT = 100
const NOTICES_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Tells what began to hold, once, and forgets what stopped, so that it can be told again. State and messages are written in the
 * transaction of the caller, which found it. Needs the role tally_operator.
 */
export async function settleHook(
  sql: Sql,
  hook: store.ActiveHook,
  { holds, unknown, together, ended }: Findings,
  tools: FiringTools,
): Promise<number> {
  const known = await store.listStates(sql, hook)
  const begun = [...holds.keys()].filter((subject) => !known.has(subject))
  const stopped = [...known].filter((subject) => !holds.has(subject) && !unknown?.has(subject))
  const events = [
    ...(together
      ? portions(begun, SUBJECTS_PER_EVENT).map(together)
      : begun.flatMap((subject) => holds.get(subject) ?? [])),
    ...(ended && stopped.length > 0 ? await ended(stopped) : []),
  ]
  if (begun.length > 0) await store.insertStates(sql, hook, begun, tools.clock.now())
  if (stopped.length > 0) await store.deleteStates(sql, hook, stopped)
  await insertDeliveries(
    sql,
    events.map((event) => messageFor(hook, event, tools)),
  )
  return events.length
}

async function lienFindings(sql: Sql, hook: store.ActiveHook, { block }: FiringTools): Promise<Findings> {
  const open = await store.listOpenShortfalls(sql, hook)
  return {
    holds: new Map(open.map((row) => [row.shortfallId, shortfallEvent(hook, row, block)])),
    ended: async (subjects) => (await store.listShortfalls(sql, subjects)).map((row) => healedEvent(hook, row, block)),
  }
}

async function seizureFindings(sql: Sql, hook: store.ActiveHook): Promise<Findings> {
  const seizures = await store.listSeizures(sql, hook)
  return { holds: new Map(seizures.map((row) => [row.realizationId, seizedEvent(hook, row)])) }
}

async function orphanFindings(sql: Sql, hook: store.ActiveHook, { clock }: FiringTools): Promise<Findings> {
  const kept = new Date(clock.now().getTime() - NOTICES_KEPT_MS)
  const orphaned = await store.listOrphaned(sql, hook, hook.armedAt > kept ? hook.armedAt : kept)
  const rows = new Map(orphaned.map((row) => [row.noticeId, row]))
  return {
    holds: new Map(orphaned.map((row) => [row.noticeId, orphanedEvent(hook, [row])])),
    together: (subjects) =>
      orphanedEvent(
        hook,
        subjects.flatMap((subject) => rows.get(subject) ?? []),
      ),
  }
}

/** Rules that the record alone can judge. */
const recordRules = {
  LIEN_SHORTFALL: lienFindings,
  LOAN_SEIZED: seizureFindings,
  FACT_ORPHANED: orphanFindings,
} as const

/** Settles a hook that needs no look at the chain; answers how many messages it wrote. */
export async function settleByRecord(sql: Sql, hook: store.ActiveHook, tools: FiringTools): Promise<number> {
  const rule = recordRules[hook.kind as keyof typeof recordRules]
  return settleHook(sql, hook, await rule(sql, hook, tools), tools)
}

/** In the very transaction that found or healed a shortfall. */
export async function fireLienHooks(sql: Sql, chainId: number, tools: FiringTools): Promise<void> {
  for (const hook of await store.listActiveHooks(sql, chainId, ['LIEN_SHORTFALL']))
    if (await store.lockHook(sql, hook)) await settleByRecord(sql, hook, tools)
}

import { hookKinds } from '@tallystick/wire'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import { readWatchedMarket } from './alert.reads.ts'
import { agedPrice, loansDueSoon, unhealthyLoans, type WatchedMarket } from './alert.rules.ts'
import * as store from './alerts.store.ts'
import { settleByRecord, settleHook } from './fire-hooks.ts'
import { moveTurn, readTurn } from './turns.store.ts'

export interface AlertReport {
  readonly hooks: number
  readonly messages: number
  /** Markets that could not be read this time; their hooks keep their state. */
  readonly unread: number
}

/** Rules that need a look at the chain. */
const chainRules = {
  HEALTH_BELOW: unhealthyLoans,
  DUE_WITHIN: loansDueSoon,
  PRICE_OLDER_THAN: agedPrice,
} as const

const ruleOf = ({ kind }: store.ActiveHook) => (chainRules as Partial<Record<string, typeof unhealthyLoans>>)[kind]

/** Evaluates every rule that is on. Several workers may run it; one of them writes. */
export function createAlertWatch(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** No pass sooner after the last one, whoever made it. */
  readonly pauseMs?: number
}) {
  const { database, clock, random, log, pauseMs = 0 } = parts

  /** One market that does not answer must not silence the others. */
  async function readMarket(chain: Chain, block: Block, hook: store.ActiveHook, loanIds: readonly string[]) {
    try {
      return await readWatchedMarket(chain, block, hook, loanIds)
    } catch (error) {
      log.warn({ chainId: chain.chainId, market: hook.market, err: error }, 'a watched market could not be read')
      return null
    }
  }

  return {
    /** One look, all of it at one block. Null: it was another worker's turn. */
    async pass(chain: Chain): Promise<AlertReport | null> {
      const { chainId } = chain
      const known = await database.as('tally_operator', async (sql) => {
        const hooks = [...(await store.listActiveHooks(sql, chainId, hookKinds))]
        const watched = new Map(
          hooks.filter((hook) => ruleOf(hook) && hook.isLive).map((hook) => [hook.market, hook] as const),
        )
        const loans = new Map<string, string[]>()
        for (const market of watched.keys())
          loans.set(
            market,
            (await store.listOpenLoans(sql, chainId, market)).map(({ loanId }) => loanId),
          )
        return { turn: await readTurn(sql, chainId, 'ALERTS'), hooks, watched, loans }
      })
      const { turn, hooks, watched, loans } = known
      if (turn && clock.now().getTime() - turn.movedAt.getTime() < pauseMs) return null
      if (hooks.length === 0) return { hooks: 0, messages: 0, unread: 0 }

      const block = await chain.latest()
      const markets = new Map<string, WatchedMarket | null>()
      for (const [market, hook] of watched)
        markets.set(market, await readMarket(chain, block, hook, loans.get(market) ?? []))
      const tools = { clock, random, block }
      return database.as('tally_operator', async (sql) => {
        if (!(await moveTurn(sql, chainId, 'ALERTS', turn, clock.now()))) return null
        let messages = 0
        for (const hook of hooks) {
          const rule = ruleOf(hook)
          const market = markets.get(hook.market)
          if ((rule && !market) || !(await store.lockHook(sql, hook))) continue
          messages +=
            rule && market
              ? await settleHook(sql, hook, rule(hook, market), tools)
              : await settleByRecord(sql, hook, tools)
        }
        const unread = [...markets.values()].filter((market) => market === null).length
        return { hooks: hooks.length, messages, unread }
      })
    },
  }
}

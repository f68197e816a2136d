import type { Chain } from '../../platform/chain/chain.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { UnitsService } from '../unit/index.ts'
import * as store from './eras.store.ts'
import { createInquiry } from './inquiry.ts'
import { askSaltPrefix } from './order-state.ts'
import { fitsPrefix, inEra, isUnreadable, type SaltPrefix } from './salt-prefix.rules.ts'

interface SplitWatchParts {
  readonly database: Database
  readonly units: UnitsService
  readonly log: Log
}

/**
 * Writes down how custody contracts want salts to begin, whenever that changes, and ends what was signed before. A split ends orders for good: also
 * when it is undone, by another one or by a reorganisation, before the contract itself has seen it.
 */
export function createSplitWatch({ database, units, log }: SplitWatchParts) {
  async function endOrders(pair: store.Pair, wanted: SaltPrefix): Promise<number> {
    const live = await database.as('tally_operator', (sql) => store.listLiveSalts(sql, pair))
    const dead = live.filter(({ salt }) => !fitsPrefix(salt, wanted))
    for (const unitId of new Set(dead.map((order) => order.unitId))) {
      const orders = dead.filter((order) => order.unitId === unitId)
      await units.submit({}, unitId, {
        grant: null,
        looks: { instanceId: orders[0]?.instanceId ?? '', holders: [], clientOrderIds: [] },
        perform(turn) {
          for (const { orderId } of orders)
            turn.execute({ kind: 'cancel', at: 0, order: orderId, reason: 'TOKEN_SPLIT' })
        },
      })
    }
    return dead.length
  }

  async function note(pair: store.Pair, prefix: SaltPrefix, blockNumber: bigint): Promise<void> {
    const changed = await database.as('tally_chain', async (sql) => {
      const eras = await store.readEras(sql, pair)
      const last = eras.at(-1)
      if (last?.prefix === prefix) return null
      const next = { era: (last?.era ?? 0) + 1, prefix }
      await store.insertEra(sql, pair, { ...next, blockNumber })
      return last ? [...eras, next] : null
    })
    if (!changed) return
    const ended = await endOrders(pair, inEra(prefix, changed))
    const { chainId, custody, token, quote } = pair
    log.warn(
      { chainId, custody, token, quote, ended },
      'a token was split, or a split was undone; orders from before ended',
    )
  }

  return {
    /** One round trip for all pairs of the chain. */
    async pass(chain: Chain): Promise<void> {
      const pairs = await database.as('tally_operator', (sql) => store.listPairs(sql, chain.chainId))
      if (pairs.length === 0) return
      const inquiry = createInquiry()
      const asked = pairs.map((pair) => ({
        pair,
        // What the contract says by itself.
        prefix: askSaltPrefix(inquiry, pair.custody, pair.token, pair.quote, []),
      }))
      const { number } = await inquiry.send(chain)
      for (const { pair, prefix } of asked) {
        const told = prefix()
        // While a split is under way nothing settles, and nothing is dead.
        if (!isUnreadable(told)) await note(pair, told, number)
      }
    },
  }
}

export type SplitWatch = ReturnType<typeof createSplitWatch>

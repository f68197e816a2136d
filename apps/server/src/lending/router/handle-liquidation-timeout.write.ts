import { lendingOperations } from '@tallystick/wire'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { at } from '../core/index.ts'
import { booksReads, findShelf, requireBooks, requirePending } from './books.ts'
import { gasLimitOf } from './gas-limit.rules.ts'
import { instantOf, minedAt } from './instants.ts'
import { builtFor, named, realizationWrite } from './liquidation-write.ts'
import { bookedDraw } from './settlement-events.ts'
import { partyReads, requireParty } from './signer.ts'
import { writeOffOf } from './waterfall.rules.ts'
import { shownReserve, shownWriteOff } from './waterfall-shown.rules.ts'

const TIMEOUT_SECONDS = 7 * 86_400

/** The market admin writes the market's record off: the fund is asked for the whole claim, the pool bears the rest. */
export const handleLiquidationTimeout = realizationWrite(lendingOperations.handleLiquidationTimeout, {
  call: at('market', 'handleLiquidationTimeout', 'RealizationWrittenOff'),
  reverted: 'TIMEOUT_TX_REVERTED',

  async build(request) {
    const { record, market, marketId, chain, realizationId, refuse } = request
    const shelf = await findShelf(request, refuse)
    const { block, results } = await readNamed(chain, {
      ...booksReads(request, shelf),
      roleHeld: partyReads(record, 'marketAdmin', record.wallets),
    })
    const signing = requireParty(record, 'marketAdmin', record.wallets, results.roleHeld, refuse)
    const { realization, around } = requireBooks(results, refuse)
    requirePending(realization, refuse)
    // The market still refuses in the very last second of the seven days.
    const eligibleAt = realization.seizedAt + TIMEOUT_SECONDS + 1
    if (block.time < eligibleAt)
      throw refuse('LIQUIDATION_NOT_TIMED_OUT', { extra: { eligibleAt: instantOf(eligibleAt) } })
    return {
      block,
      signer: signing.signer,
      args: { realizationId },
      confirmWith: { marketId },
      answer: (simulation) => ({
        ...builtFor(request),
        ...signing,
        marketLiquidationId: realizationId.toString(),
        gasLimit: gasLimitOf(simulation),
        preview: shownWriteOff(writeOffOf(realization, around), realization, market.borrowDecimals),
      }),
    }
  },

  expect: ({ realizationId }) => ({ realizationId }),

  proven(proof, request) {
    const { market, realizationId, cash } = request
    const drawn = bookedDraw(market, proof.transaction.logs, realizationId)
    return {
      ...named(request),
      marketLiquidationId: realizationId.toString(),
      claim: cash(proof.effect.claim),
      reserve: drawn && shownReserve(drawn, market.borrowDecimals),
      at: minedAt(proof),
    }
  },
})

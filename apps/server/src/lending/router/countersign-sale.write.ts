import { lendingOperations } from '@tallystick/wire'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { at } from '../core/index.ts'
import { realizationRead, requirePending } from './books.ts'
import { minedAt } from './instants.ts'
import { requireAnswer } from './liquidation-state.ts'
import { builtFor, named, realizationWrite } from './liquidation-write.ts'
import { partyReads, requireParty } from './signer.ts'

/** The market admin lets the fund cover a cheap sale. */
export const countersignSale = realizationWrite(lendingOperations.countersignSale, {
  call: at('market', 'countersignSale', 'SaleCountersigned'),
  reverted: 'COUNTERSIGN_TX_REVERTED',

  async build(request) {
    const { record, market, marketId, chain, realizationId, cash, refuse } = request
    const { block, results } = await readNamed(chain, {
      realization: realizationRead(market, realizationId),
      roleHeld: partyReads(record, 'marketAdmin', record.wallets),
    })
    const signing = requireParty(record, 'marketAdmin', record.wallets, results.roleHeld, refuse)
    const realization = requireAnswer(results.realization, refuse)
    requirePending(realization, refuse)
    if (realization.isCountersigned) throw refuse('ALREADY_COUNTERSIGNED')
    return {
      block,
      signer: signing.signer,
      args: { realizationId },
      confirmWith: { marketId },
      answer: {
        ...builtFor(request),
        ...signing,
        marketLiquidationId: realizationId.toString(),
        claim: cash(realization.claim),
        floorValue: cash(realization.floorValue),
      },
    }
  },

  expect: ({ realizationId }) => ({ realizationId }),

  proven: (proof, request) => ({
    ...named(request),
    marketLiquidationId: request.realizationId.toString(),
    at: minedAt(proof),
  }),
})

import { lendingOperations } from '@tallystick/wire'
import { assetOf } from '../core/index.rules.ts'
import { at, marketWrite } from '../core/index.ts'
import { validUntilIso } from './atomic.rules.ts'
import { guessRecipient } from './atomic-sale.service.ts'
import { readAtomic, requireBasis } from './atomic-state.ts'
import { minedAt } from './instants.ts'
import { approvalsOf, requireAllowance } from './sale-allowance.ts'
import { describeBid, isUnchanged, requireBid, warningsOf } from './sale-bid.rules.ts'
import { namedSigner } from './signer.ts'

/** What the sale recipient offers for whatever is seized. */
export const setSaleBid = marketWrite(lendingOperations.setSaleBid, {
  call: at('router', 'setSaleBid', 'SaleBidSet'),
  reverted: 'SALE_BID_FAILED',

  async build({ tenant, record, market, marketId, chain, body, cash, refuse }) {
    const named = namedSigner(body.signerAddress)
    const allowance = requireAllowance(body.allowance, market)
    const { block, state } = await readAtomic(chain, market, await guessRecipient({ tenant }, market), refuse)
    const wanted = { ...requireBid(body, block.time, refuse), allowance }
    const { priceFactorBps, validUntil } = wanted
    const { saleRecipient } = state
    if (saleRecipient === null) throw refuse('SALE_RECIPIENT_NOT_SET')
    if (state.allowance === null) throw refuse('ROUTER_UNREADABLE')
    if (priceFactorBps !== 0) requireBasis(state, refuse)
    if (named && named !== saleRecipient) throw refuse('NOT_SALE_RECIPIENT', { extra: { saleRecipient } })
    if (priceFactorBps !== 0 && priceFactorBps < state.floorBps)
      throw refuse('SALE_BID_BELOW_FLOOR', { extra: { floorBps: state.floorBps } })
    if (isUnchanged(state, wanted)) throw refuse('SALE_BID_UNCHANGED')
    return {
      block,
      signer: saleRecipient,
      args: { priceFactorBps: BigInt(priceFactorBps), validUntil: BigInt(validUntil) },
      steps: {
        before: approvalsOf(market, state.allowance, allowance),
        description: describeBid(priceFactorBps),
      },
      answer: {
        marketId,
        requiredSigner: saleRecipient,
        heldByThisInstance: record.wallets.includes(saleRecipient),
        routerAddress: market.router,
        priceFactorBps,
        validUntil,
        allowance: allowance === null ? null : { amount: cash(allowance), raw: allowance.toString() },
        settlementAsset: assetOf(market),
        warnings: warningsOf(state, wanted),
      },
    }
  },

  expect: () => ({}),

  proven(proof, { marketId }) {
    const { buyer, priceFactorBps, validUntil } = proof.effect
    return {
      marketId,
      buyer,
      priceFactorBps: Number(priceFactorBps),
      validUntil: Number(validUntil),
      validUntilIso: validUntilIso({ validUntil }),
      at: minedAt(proof),
    }
  },
})

import { lendingOperations } from '@tallystick/wire'
import { fieldError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { at, requirePositive, requirePositiveForm } from '../core/index.ts'
import { minedAt } from './instants.ts'
import { liquidationRead, requireAnswer, requireOpen } from './liquidation-state.ts'
import { builtFor, named } from './liquidation-write.ts'
import { checkRecipient, recipientIn, requireDeliverable } from './sale-delivery.ts'
import { recipientRead, saleWrite } from './sale-write.ts'
import { partyReads, requireParty } from './signer.ts'

/** Seized collateral on its way to who sells it. */
export const withdrawCollateralForSale = saleWrite(lendingOperations.withdrawCollateralForSale, {
  call: at('router', 'withdrawCollateralForSale', 'CollateralWithdrawnForSale'),
  reverted: 'WITHDRAW_TX_REVERTED',
  precheck(body) {
    recipientIn(body)
    requirePositiveForm('amount', body.amount)
  },

  async build(request) {
    const { record, market, marketId, chain, id, body, tokens, refuse } = request
    const { wallets } = record
    const amount = requirePositive('amount', body.amount, market.collateralDecimals)
    const { block, results } = await readNamed(chain, {
      liquidation: liquidationRead(request),
      recipient: recipientRead(market),
      held: partyReads(record, 'operator', wallets),
    })
    const signing = requireParty(record, 'operator', wallets, results.held, refuse)
    const { collateralRemaining } = requireOpen(results.liquidation, refuse)
    const saleRecipient = lowered(requireAnswer(results.recipient, refuse))
    if (amount > collateralRemaining)
      throw fieldError('VALIDATION_ERROR', [
        { field: 'amount', message: `is more than the ${tokens(collateralRemaining)} that the router holds` },
      ])
    checkRecipient(body, saleRecipient, refuse)
    await requireDeliverable(chain, market, saleRecipient, amount, refuse)
    return {
      block,
      signer: signing.signer,
      args: { id, amount },
      // The confirmation of this write asks for the amount again.
      confirmWith: { marketId, amount: tokens(amount) },
      answer: {
        ...builtFor(request),
        ...signing,
        recipient: saleRecipient,
        saleRecipient,
        amount: tokens(amount),
        amountRaw: amount.toString(),
        collateralRemaining: tokens(collateralRemaining),
      },
    }
  },

  expect({ id, body, market }) {
    // The receipt decides; still, what is no amount of this token is refused here as well.
    requirePositive('amount', body.amount, market.collateralDecimals)
    return { liquidationId: id }
  },

  async along({ effect }, { body, refuse }) {
    checkRecipient(body, effect.recipient, refuse)
    return { seen: undefined }
  },

  proven(proof, request) {
    const { recipient, amount, remaining } = proof.effect
    return {
      ...named(request),
      recipient,
      amount: request.tokens(amount),
      amountRaw: amount.toString(),
      collateralRemaining: request.tokens(remaining),
      at: minedAt(proof),
    }
  },
})

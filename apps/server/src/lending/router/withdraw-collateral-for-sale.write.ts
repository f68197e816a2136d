import { lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { AppError, fieldError, type Refuse } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { at, findDeployedMarket, optionalAddress, requirePositive, requirePositiveForm } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { deliveryRestriction } from './delivery.reads.ts'
import { minedAt } from './instants.ts'
import { liquidationRead, requireAnswer, requireOpen } from './liquidation-state.ts'
import {
  builtFor,
  type LiquidationOperation,
  liquidationCall,
  named,
  onRouter,
  type RoutedSubject,
} from './liquidation-write.ts'
import { namedMarket } from './lookup.ts'
import { partyReads, requireParty } from './signer.ts'

interface Withdrawal {
  readonly amount: string
  readonly recipientAddress?: string
}

const recipientIn = ({ recipientAddress }: Withdrawal) => optionalAddress('recipientAddress', recipientAddress)
const recipientRead = ({ router }: Market) => contractRead(router, abis.router, 'saleRecipient', [])

function checkRecipient(body: Withdrawal, saleRecipient: Address, refuse: Refuse<'RECIPIENT_FIXED'>): void {
  const wanted = recipientIn(body)
  if (wanted !== null && wanted !== saleRecipient) throw refuse('RECIPIENT_FIXED', { extra: { saleRecipient } })
}

/** Before a lender of record there is nothing seized, and nobody to sell it. */
async function requireDesignated({ chains }: LendingParts, asked: Asked): Promise<void> {
  const marketId = namedMarket(liquidationCall(asked))
  if (marketId === undefined) return
  const { market } = await findDeployedMarket(asked, marketId)
  const { results } = await chains.get(market.chainId).read([recipientRead(market)])
  if (results[0].ok && results[0].value === zeroAddress) throw new AppError('SALE_RECIPIENT_NOT_SET')
}

const liquidationWrite = writesOf<LiquidationOperation, LendingParts, RoutedSubject>({
  ...onRouter,
  find: (parts, asked) =>
    onRouter.find(parts, asked).catch(async (error: unknown) => {
      const isMissing = error instanceof AppError && error.code === 'LIQUIDATION_NOT_FOUND'
      if (asked.leg === 'build' && isMissing) await requireDesignated(parts, asked)
      throw error
    }),
}).of

/** Seized collateral on its way to who sells it. */
export const withdrawCollateralForSale = liquidationWrite(lendingOperations.withdrawCollateralForSale, {
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
    const saleRecipient = requireAnswer(results.recipient, refuse).toLowerCase() as Address
    if (amount > collateralRemaining)
      throw fieldError('VALIDATION_ERROR', [
        { field: 'amount', message: `is more than the ${tokens(collateralRemaining)} that the router holds` },
      ])
    checkRecipient(body, saleRecipient, refuse)
    const delivery = { token: market.collateralToken, from: market.router, to: saleRecipient, amount }
    const { code: saleDeliveryCode, rule: saleDeliveryRule } = await deliveryRestriction(chain, delivery)
    if (saleDeliveryCode !== 0)
      throw refuse('SALE_RECIPIENT_TRANSFER_RESTRICTED', {
        extra: { saleRecipient, saleDeliveryCode, saleDeliveryRule },
      })
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

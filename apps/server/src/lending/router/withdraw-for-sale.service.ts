import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { DeployedRecord } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress } from '../request-fields.ts'
import { amountIn, createConfirmation, minedAt, provenBy } from './confirmation.ts'
import { deliveryRestriction } from './delivery.reads.ts'
import { withdrawForSaleCall } from './liquidation.call.ts'
import { createLookup, type LiquidationCall, type LocatedOnRouter, namedMarket } from './lookup.service.ts'
import { requirePositive } from './positive.ts'
import { builtFor, createRouterWrites, liquidationRead, requireOpen } from './router-write.service.ts'
import { partyReads, requireParty } from './signer.ts'

type WithdrawBody = BodyOf<typeof lendingOperations.withdrawCollateralForSale>

const recipientIn = ({ recipientAddress }: WithdrawBody) => optionalAddress('recipientAddress', recipientAddress)

function checkRecipient(wished: Address | null, saleRecipient: Address): void {
  if (wished !== null && wished !== saleRecipient) throw new AppError('RECIPIENT_FIXED', { extra: { saleRecipient } })
}

const recipientRead = ({ market }: DeployedRecord) => contractRead(market.router, abis.router, 'saleRecipient', [])

/** Seized collateral on its way to who sells it. */
export function createWithdrawForSale(parts: LendingParts) {
  const lookup = createLookup(parts)
  const write = createRouterWrites(parts)
  const confirm = createConfirmation(parts)

  /** Before a lender of record there is nothing seized, and nobody to sell it. */
  async function requireDesignated(call: LiquidationCall, [named]: readonly DeployedRecord[]): Promise<void> {
    if (namedMarket(call) === undefined || !named) return
    const { results } = await parts.chains.get(named.market.chainId).read([recipientRead(named)])
    if (results[0].ok && results[0].value === zeroAddress) throw new AppError('SALE_RECIPIENT_NOT_SET')
  }

  async function locate(call: LiquidationCall): Promise<LocatedOnRouter> {
    const records = await lookup.marketsOf(call)
    return lookup.onRouter(call, records).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'LIQUIDATION_NOT_FOUND') await requireDesignated(call, records)
      throw error
    })
  }

  return {
    async build(call: LiquidationCall, body: WithdrawBody) {
      const wished = recipientIn(body)
      requirePositive('amount', body.amount)
      const located = await locate(call)
      const { record, chain, id } = located
      const { market, wallets } = record
      const { collateralDecimals: decimals } = market
      const amount = requirePositive('amount', body.amount, decimals)
      const { block, results } = await readNamed(chain, {
        liquidation: liquidationRead(located),
        recipient: recipientRead(record),
        held: partyReads(record, 'operator', wallets),
      })
      const signing = requireParty(record, 'operator', wallets, results.held)
      const { collateralRemaining: remaining } = requireOpen(results.liquidation)
      if (!results.recipient.ok) throw new AppError('ROUTER_UNREADABLE')
      const saleRecipient = results.recipient.value.toLowerCase() as Address
      if (amount > remaining)
        throw fieldError('VALIDATION_ERROR', [
          { field: 'amount', message: `is more than the ${formatUnits(remaining, decimals)} that the router holds` },
        ])
      checkRecipient(wished, saleRecipient)
      const delivery = { token: market.collateralToken, from: market.router, to: saleRecipient, amount }
      const { code: saleDeliveryCode, rule: saleDeliveryRule } = await deliveryRestriction(chain, delivery)
      if (saleDeliveryCode !== 0)
        throw new AppError('SALE_RECIPIENT_TRANSFER_RESTRICTED', {
          extra: { saleRecipient, saleDeliveryCode, saleDeliveryRule },
        })
      const built = await write(located, withdrawForSaleCall, { id, amount }, signing.signer)
      const about = builtFor(call, located, 'withdraw-collateral')
      const shown = formatUnits(amount, decimals)
      const data = {
        ...about,
        ...built,
        ...signing,
        recipient: saleRecipient,
        saleRecipient,
        amount: shown,
        amountRaw: amount.toString(),
        collateralRemaining: formatUnits(remaining, decimals),
        // The confirmation of this write asks for the amount again.
        confirmWith: { ...about.confirmWith, body: { ...about.confirmWith.body, amount: shown } },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: LiquidationCall, body: WithdrawBody & { txHash: string }) {
      const wished = recipientIn(body)
      requirePositive('amount', body.amount)
      const { record, chain, id, liquidationId } = await lookup.onRouter(call)
      const { collateralDecimals: decimals } = record.market
      requirePositive('amount', body.amount, decimals)
      const proof = await confirm(call, {
        record,
        chain,
        pair: withdrawForSaleCall,
        expected: { id },
        txHash: body.txHash,
        revertCode: 'WITHDRAW_TX_REVERTED',
        check: ({ effect }) => checkRecipient(wished, String(effect.recipient) as Address),
      })
      const amount = amountIn(proof, 'amount')
      const data = {
        liquidationId,
        marketId: record.marketId,
        ...provenBy(proof),
        recipient: String(proof.effect.recipient),
        amount: formatUnits(amount, decimals),
        amountRaw: amount.toString(),
        collateralRemaining: formatUnits(amountIn(proof, 'remaining'), decimals),
        at: minedAt(proof),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type WithdrawForSale = ReturnType<typeof createWithdrawForSale>

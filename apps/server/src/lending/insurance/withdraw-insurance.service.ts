import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { assetOf } from '../core/borrow-asset.rules.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { requireAddressField } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { ownerBlock } from '../signer.reads.ts'
import { positive } from './fund-amount.ts'
import { readFund } from './fund-state.reads.ts'
import { withdrawCall } from './withdraw-insurance.call.ts'

type WithdrawBody = BodyOf<typeof lendingOperations.withdrawInsurance>

const isRequired = (field: string) => fieldError('VALIDATION_ERROR', [{ field, message: 'is required' }])

function requireAmount(text: string, { borrowDecimals }: Market): bigint {
  const raw = positive(text, borrowDecimals)
  if (raw === null)
    throw fieldError('VALIDATION_ERROR', [
      { field: 'amount', message: `must be a positive decimal with at most ${borrowDecimals} decimals` },
    ])
  return raw
}

/** What the owner of a fund takes out of it. */
export function createWithdrawInsurance({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, body: WithdrawBody) {
      const { market, wallets } = await findDeployedMarket(call, marketId)
      if (body.amount === undefined) throw isRequired('amount')
      if (body.recipient === undefined) throw isRequired('recipient')
      const recipient = requireAddressField('recipient', body.recipient)
      const raw = requireAmount(body.amount, market)
      const chain = chains.get(market.chainId)
      const { block, fund, named, owner, balance } = await readFund(chain, market)
      if (named === null) throw new AppError('NO_INSURANCE_FUND')
      if (named === undefined || balance === null) throw new AppError('FUND_STATE_UNAVAILABLE')
      if (!owner.ok) throw new AppError('FUND_NOT_READABLE')
      const currentBalance = formatUnits(balance, market.borrowDecimals)
      if (balance < raw) throw new AppError('INSUFFICIENT_BALANCE', { detail: `The fund holds ${currentBalance}.` })
      const signer = ownerBlock('OWNER', wallets, owner)
      const intent = { chain, pair: withdrawCall, target: fund, kind: 'fund' }
      const built = await intents.build(intent, { recipient, amount: raw }, signer.requiredSigner, explainLending)
      const amount = formatUnits(raw, market.borrowDecimals)
      const { to, data: calldata } = built.transaction
      const data = {
        calldata: {
          to,
          data: calldata,
          description: `Withdraws ${amount} ${market.borrowSymbol} from the insurance fund to ${recipient}.`,
          value: '0' as const,
          chainId: chain.chainId,
        },
        functionName: 'emergencyWithdraw' as const,
        simulation: built.simulation,
        ...signer,
        fundOwner: owner.value.toLowerCase(),
        fundAddress: fund,
        currentBalance,
        recipient,
        amount,
        amountRaw: raw.toString(),
        asset: assetOf(market),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/insurance/withdraw-calldata`),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: WithdrawBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const expected = {
        ...(body.recipient === undefined ? {} : { recipient: requireAddressField('recipient', body.recipient) }),
        ...(body.amount === undefined ? {} : { amount: requireAmount(body.amount, market) }),
      }
      const chain = chains.get(market.chainId)
      const { fund, named } = await readFund(chain, market)
      if (named === null) throw new AppError('NO_INSURANCE_FUND')
      if (named === undefined) throw new AppError('CHAIN_UNAVAILABLE')
      const intent = { chain, pair: withdrawCall, target: fund, kind: 'fund' }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const { effect, transaction, verifiedBy } = proof
      const raw = BigInt(String(effect.amount))
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        signedBy: transaction.from,
        fundAddress: fund,
        recipient: String(effect.to) as Address,
        amount: formatUnits(raw, market.borrowDecimals),
        amountRaw: raw.toString(),
        asset: assetOf(market),
        at: new Date(transaction.block.time * 1000).toISOString(),
      }
      return { data, block: transaction.block }
    },
  }
}

export type WithdrawInsurance = ReturnType<typeof createWithdrawInsurance>

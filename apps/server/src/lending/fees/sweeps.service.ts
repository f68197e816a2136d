import type { Address, Hex } from 'viem'
import type { ConfirmedEffect } from '../../intents/index.ts'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import type { DeployedRecord, MarketCall } from '../market/markets.service.ts'
import { endpointAt, findDeployedMarket } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { feeState, feeStateReads } from './fee-state.reads.ts'
import { sweepInfrastructureCall, sweepOperatorCall, sweepProtocolCall } from './sweep-fees.call.ts'

type Market = DeployedRecord['market']
type SweepPair = CallPair<Record<string, never>, Effect, Record<string, never>>

export const NOTE =
  'Any wallet may sign; the signer gets nothing. The market pays what is booked when the transaction is mined, which can be more than quoted here.'

export const assetOf = (market: Market) => ({
  address: market.borrowAsset,
  symbol: market.borrowSymbol,
  decimals: market.borrowDecimals,
})

export function amounts(market: Market, raw: bigint) {
  return { amount: formatUnits(raw, market.borrowDecimals), amountRaw: raw.toString() }
}

/** What every confirmed sweep says: from the event, never from the request. */
export function sweptFacts(market: Market, { effect, transaction, verifiedBy }: ConfirmedEffect<Effect>) {
  return {
    txHash: transaction.hash,
    ...(verifiedBy ? { verifiedBy } : {}),
    signedBy: transaction.from,
    ...amounts(market, BigInt(String(effect.amount))),
    at: new Date(transaction.block.time * 1000).toISOString(),
  }
}

/** Fees that anybody may send to where they belong: infrastructure, operator, insurance fund. */
export function createSweeps({ chains, intents }: LendingParts) {
  async function booked(call: MarketCall, marketId: string, unavailable: AppCode) {
    const { market } = await findDeployedMarket(call, marketId)
    const chain = chains.get(market.chainId)
    const { block, results } = await chain.read(feeStateReads(market.address))
    const { pool, ...state } = feeState(results)
    if (!pool) throw new AppError(unavailable)
    return { market, chain, block, pool, state }
  }

  type Booked = Awaited<ReturnType<typeof booked>>

  async function build({ market, chain, block }: Booked, pair: SweepPair, path: string, raw: bigint, what: string) {
    const intent = { chain, pair, target: market.address, kind: 'market' }
    const built = await intents.build(intent, {}, null, explainLending)
    const data = {
      ...built,
      description: `Pays the booked ${what} of ${amounts(market, raw).amount} ${market.borrowSymbol}.`,
      permissionless: true,
      requiredRole: null,
      requiredSigner: null,
      note: NOTE,
      ...amounts(market, raw),
      asset: assetOf(market),
      confirmWith: { endpoint: path, field: 'txHash' as const },
    }
    return { data, block, calls: [built.transaction] }
  }

  async function confirm(call: MarketCall, marketId: string, pair: SweepPair, txHash: string) {
    const { market } = await findDeployedMarket(call, marketId)
    const intent = { chain: chains.get(market.chainId), pair, target: market.address, kind: 'market' }
    const proof = await intents.confirm(call.tenant, intent, {}, txHash as Hex)
    const data = { ...sweptFacts(market, proof), asset: assetOf(market) }
    return { data, to: (name: string) => String(proof.effect[name]) as Address, block: proof.transaction.block }
  }

  const pathOf = (call: MarketCall, marketId: string, name: string) =>
    endpointAt(call.mountedAt, `/markets/${marketId}/${name}/sweep`)

  return {
    infrastructure: {
      async build(call: MarketCall, marketId: string) {
        const read = await booked(call, marketId, 'MARKET_FEES_UNAVAILABLE')
        const raw = read.pool.infrastructureFees
        if (raw === 0n) throw new AppError('NO_INFRASTRUCTURE_FEES')
        const path = pathOf(call, marketId, 'infrastructure-fees')
        const built = await build(read, sweepInfrastructureCall, path, raw, 'infrastructure fees')
        return { ...built, data: { ...built.data, destination: read.state.platformWallet } }
      },
      async confirm(call: MarketCall, marketId: string, txHash: string) {
        const { data, to, block } = await confirm(call, marketId, sweepInfrastructureCall, txHash)
        return { data: { kind: 'infrastructure' as const, ...data, destination: to('recipient') }, block }
      },
    },

    operator: {
      async build(call: MarketCall, marketId: string) {
        const read = await booked(call, marketId, 'OPERATOR_FEES_UNAVAILABLE')
        const { operator, isAdopted } = read.state
        if (isAdopted === false) throw new AppError('MARKET_NOT_ADOPTED')
        if (!operator) throw new AppError('OPERATOR_FEES_UNAVAILABLE')
        const raw = read.pool.operatorFees
        if (raw === 0n) throw new AppError('NO_OPERATOR_FEES')
        const path = pathOf(call, marketId, 'operator-fees')
        const built = await build(read, sweepOperatorCall, path, raw, 'operator fees')
        return { ...built, data: { ...built.data, recipient: operator } }
      },
      async confirm(call: MarketCall, marketId: string, txHash: string) {
        const { data, to, block } = await confirm(call, marketId, sweepOperatorCall, txHash)
        return { data: { ...data, recipient: to('recipient') }, block }
      },
    },

    protocol: {
      async build(call: MarketCall, marketId: string) {
        const read = await booked(call, marketId, 'MARKET_FEES_UNAVAILABLE')
        if (read.state.hasFund === false) throw new AppError('NO_INSURANCE_FUND')
        const raw = read.pool.protocolFees
        if (raw === 0n) throw new AppError('NO_PROTOCOL_FEES')
        const path = pathOf(call, marketId, 'protocol-fees')
        const built = await build(read, sweepProtocolCall, path, raw, 'insurance part')
        return { ...built, data: { ...built.data, destination: read.state.fund } }
      },
      async confirm(call: MarketCall, marketId: string, txHash: string) {
        const { data, to, block } = await confirm(call, marketId, sweepProtocolCall, txHash)
        return { data: { kind: 'protocol' as const, ...data, destination: to('fund') }, block }
      },
    },
  }
}

export type Sweeps = ReturnType<typeof createSweeps>

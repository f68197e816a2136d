import { type Hex, zeroAddress } from 'viem'
import type { ConfirmedEffect } from '../../intents/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import { asShapeB } from '../built.ts'
import { abis } from '../contracts.ts'
import { type DeployedRecord, endpointAt, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import { roleReads, signerBlock } from '../signer.reads.ts'

const ROLE = 'DEFAULT_ADMIN_ROLE'

/** What every confirmation about vaults says alike. */
export function confirmedFacts(pair: { functionName: string }, { transaction, verifiedBy }: ConfirmedEffect<Effect>) {
  return {
    txHash: transaction.hash,
    ...(verifiedBy ? { verifiedBy } : {}),
    functionName: pair.functionName,
    signedBy: transaction.from,
    at: new Date(transaction.block.time * 1000).toISOString(),
  }
}

/** What the writes of a market's admin about vaults have in common. */
export function createAdminWrites({ chains, intents }: LendingParts) {
  /** The market's side, who may sign, and whatever else has to be known, in one round trip. */
  async function ask(record: DeployedRecord, others: readonly ContractRead<unknown>[] = []) {
    const { market, wallets } = record
    const chain = chains.get(market.chainId)
    const { block, results } = await chain.read([
      contractRead(market.address, abis.market, 'operatorFeeRecipient', []),
      ...others,
      ...roleReads(market.address, ROLE, wallets),
    ])
    const [operator, ...rest] = results
    if (!operator.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    if (operator.value === zeroAddress) throw new AppError('MARKET_PENDING_CURATOR')
    const held = rest.slice(others.length) as Parameters<typeof signerBlock>[2]
    const answers = rest.slice(0, others.length)
    return { chain, block, operator: operator.value, answers, signer: signerBlock(ROLE, wallets, held) }
  }

  return {
    ask,

    async build<A, X>(
      { market }: DeployedRecord,
      { chain, block, signer }: Awaited<ReturnType<typeof ask>>,
      pair: CallPair<A, Effect, X>,
      args: A,
      { description, endpoint }: { description: string; endpoint: string },
    ) {
      const intent = { chain, pair, target: market.address, kind: 'market' }
      const built = await intents.build(intent, args, signer.signerAddress, explainLending)
      const confirmWith = { endpoint, field: 'txHash' as const }
      return { data: { ...asShapeB(built), ...signer, description, confirmWith }, block, calls: [built.transaction] }
    },

    confirm<A, X>(
      call: MarketCall,
      { market }: DeployedRecord,
      pair: CallPair<A, Effect, X>,
      expected: X,
      txHash: string,
    ) {
      const intent = { chain: chains.get(market.chainId), pair, target: market.address, kind: 'market' }
      return intents.confirm(call.tenant, intent, expected, txHash as Hex)
    },

    endpoint: (call: MarketCall, marketId: string, rest = '') =>
      endpointAt(call.mountedAt, `/markets/${marketId}/vault-liquidity${rest}`),
  }
}

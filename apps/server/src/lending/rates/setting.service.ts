import type { Address, Hex } from 'viem'
import { zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Block } from '../../platform/chain/block.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { asShapeB } from '../built.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import type { SignerBlock } from '../signer.reads.ts'
import { offeringOf, offeringReads } from './offering.reads.ts'

/** One setting of a market or its rate model: what is called, and the route that builds and confirms it. */
export interface Setting<A> {
  readonly pair: CallPair<A, Effect, null>
  readonly kind: 'market' | 'rateModel'
  /** Behind the market's own path. */
  readonly path: string
}

interface SettingWish<A> {
  readonly marketId: string
  readonly market: Market
  readonly args: A
  readonly block: Block
  readonly signer: SignerBlock
  readonly description: string
}

/** Nobody holds a role before there is a lender of record. */
export function requireCurator(operator: Address): void {
  if (operator === zeroAddress) throw new AppError('MARKET_PENDING_CURATOR')
}

const placeOf = ({ address, rateModel }: Market, kind: Setting<never>['kind']) =>
  ({ kind, target: kind === 'market' ? address : rateModel }) as const

/** What every setting does alike: its unsigned call, and the proof of it with what the lender offers from then on. */
export function createSettings({ chains, intents }: LendingParts) {
  return {
    async build<A>(call: MarketCall, { pair, kind, path }: Setting<A>, wish: SettingWish<A>) {
      const { marketId, market, args, block, signer, description } = wish
      const intent = { chain: chains.get(market.chainId), pair, ...placeOf(market, kind) }
      const sender = signer.signerAddress ?? signer.requiredSigner
      const built = await intents.build(intent, args, sender, explainLending)
      const endpoint = endpointAt(call.mountedAt, `/markets/${marketId}/${path}`)
      const confirmWith = { endpoint, field: 'txHash' as const }
      return { data: { ...asShapeB(built), ...signer, description, confirmWith }, block, calls: [built.transaction] }
    },

    async confirm<A>(call: MarketCall, { pair, kind }: Setting<A>, marketId: string, txHash: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const chain = chains.get(market.chainId)
      const intent = { chain, pair, ...placeOf(market, kind) }
      let after: { block: Block; offering: NonNullable<ReturnType<typeof offeringOf>> } | undefined
      const proof = await intents.confirm(call.tenant, intent, null, txHash as Hex, async () => {
        // Before anything is written: a confirmation that cannot be answered leaves no trace.
        const { block, results } = await chain.read(offeringReads(market))
        const offering = offeringOf(results)
        if (!offering) throw new AppError('CHAIN_UNAVAILABLE')
        after = { block, offering }
        return {}
      })
      if (!after) throw new Error('a setting was confirmed without reading the offering')
      const { transaction, verifiedBy } = proof
      const data = {
        txHash: transaction.hash,
        functionName: pair.functionName,
        signedBy: transaction.from,
        blockNumber: transaction.block.number.toString(),
        ...(verifiedBy ? { verifiedBy } : {}),
        offering: after.offering,
      }
      return { data, block: after.block }
    },
  }
}

import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { optionalAddress } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { feeState, feeStateReads } from './fee-state.reads.ts'
import { sweepDistributorCall } from './sweep-fees.call.ts'
import { amounts, assetOf, NOTE, sweptFacts } from './sweeps.service.ts'

const NOTE_CONTRACT =
  'This provider is a contract, so only itself may collect: send the call through it. The market pays what is owed when the transaction is mined.'

/** The distributors' part, provider by provider. */
export function createSweepDistributor({ chains, intents }: LendingParts) {
  return {
    async build(call: MarketCall, marketId: string, wish: string | undefined) {
      const { market } = await findDeployedMarket(call, marketId)
      const named = optionalAddress('provider', wish)
      const chain = chains.get(market.chainId)
      const { operator, isAdopted, offeredShareBps } = feeState(
        (await chain.read(feeStateReads(market.address))).results,
      )
      if (isAdopted === false) throw new AppError('MARKET_NOT_ADOPTED')
      if (offeredShareBps !== null) throw new AppError('MARKET_UPGRADE_REQUIRED')
      const provider = named ?? operator
      if (!provider) throw new AppError('MARKET_STATE_UNAVAILABLE')
      const { block, results } = await chain.read([
        contractRead(market.address, abis.market, 'distributorFeesPayable', [provider]),
        // Only a vault answers this.
        contractRead(provider, abis.vault, 'drawableFor', [market.address]),
      ])
      const [payable, drawable] = results
      if (!payable.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
      if (drawable.ok) throw new AppError('VAULT_COLLECTS_ITSELF')
      if (payable.value === 0n) throw new AppError('NOTHING_ACCRUED')

      const intent = { chain, pair: sweepDistributorCall, target: market.address, kind: 'market' }
      const asAnybody = await intents.build(intent, { provider }, null, explainLending)
      const mustSignItself = asAnybody.simulation.revert?.error === 'ProviderCollectsItself'
      const built = mustSignItself ? await intents.build(intent, { provider }, provider, explainLending) : asAnybody
      const { simulated, revert } = built.simulation
      if (simulated && revert) throw new AppError('TX_WOULD_REVERT', { detail: revert.message })
      const data = {
        ...built,
        description: `Pays ${provider} its distributor fees of ${amounts(market, payable.value).amount} ${market.borrowSymbol}.`,
        permissionless: !mustSignItself,
        requiredRole: null,
        requiredSigner: mustSignItself ? provider : null,
        note: mustSignItself ? NOTE_CONTRACT : NOTE,
        provider,
        recipient: provider,
        ...amounts(market, payable.value),
        asset: assetOf(market),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/markets/${marketId}/distributor-fees/sweep`),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, wish: string | undefined, txHash: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const provider = optionalAddress('provider', wish)
      const chain = chains.get(market.chainId)
      const intent = { chain, pair: sweepDistributorCall, target: market.address, kind: 'market' }
      const proof = await intents.confirm(call.tenant, intent, provider ? { provider } : {}, txHash as Hex)
      const paid = String(proof.effect.provider) as Address
      return { data: { ...sweptFacts(market, proof), provider: paid, recipient: paid }, block: proof.transaction.block }
    },
  }
}

export type SweepDistributor = ReturnType<typeof createSweepDistributor>

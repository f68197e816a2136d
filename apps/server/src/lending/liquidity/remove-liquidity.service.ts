import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { accrualUp, payableSharesDown, poolValueDown, shownShares } from '../pool.rules.ts'
import { requirePositive } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { removeLiquidityCall, withdrawCall } from './liquidity.call.ts'
import { assetOf, expectedProvider, requireProvider } from './liquidity-request.ts'
import { movedFacts } from './moved-facts.ts'
import { providerReads, vaultBehind } from './provider.reads.ts'
import { highestStamp } from './providers.store.ts'

type RemoveBody = BodyOf<typeof lendingOperations.removeLiquidity>

/** How long the answer holds while nobody draws on the pool: interest makes the same shares cost more meanwhile. */
const QUOTE_SECONDS = 120
const VAULT_NOTE = 'The provider is a vault: its owner signs, and the money goes to the vault.'

/** Pool shares back for money. */
export function createRemoveLiquidity({ chains, intents }: LendingParts) {
  async function ask(market: Market, provider: Address, stampBps: string | null) {
    const { block, results } = await readNamed(chains.get(market.chainId), providerReads(market, provider))
    const { pool, shares } = results
    if (!pool.ok || !shares.ok) throw new AppError('MARKET_STATE_UNAVAILABLE')
    const { totalBorrowed, borrowRateWad, totalAssets } = pool.value
    const growth = accrualUp(totalBorrowed, borrowRateWad, BigInt(stampBps ?? 0), BigInt(QUOTE_SECONDS))
    return {
      block,
      held: shares.value,
      now: pool.value,
      later: { ...pool.value, totalAssets: totalAssets + growth },
      vault: vaultBehind(market, results),
    }
  }

  /** Refuses what the pool would refuse within the time of the quote. */
  function requirePayable(market: Market, shares: bigint, { held, now, later }: Awaited<ReturnType<typeof ask>>): void {
    const { borrowDecimals, borrowSymbol } = market
    if (shares > held)
      throw new AppError('INSUFFICIENT_SHARES', {
        extra: { details: { held: shownShares(held), required: shownShares(shares) } },
      })
    if (poolValueDown(shares, later, borrowDecimals) <= later.cash) return
    const payable = payableSharesDown(later, borrowDecimals)
    const most = payable < held ? payable : held
    const worth = formatUnits(poolValueDown(most, now, borrowDecimals), borrowDecimals)
    throw new AppError('INSUFFICIENT_LIQUIDITY', {
      detail: `The pool has lent out too much to pay that now. The most it can pay is ${shownShares(most)} shares, worth ${worth} ${borrowSymbol}.`,
      extra: { details: { maxShares: shownShares(most), maxAmount: worth } },
    })
  }

  return {
    async build(call: MarketCall, marketId: string, body: RemoveBody) {
      const { market, stampBps } = await findDeployedMarket<{ stampBps: string | null }>(call, marketId, highestStamp)
      const provider = requireProvider(body.provider)
      const shares = requirePositive('shares', body.shares, 18)
      const asked = await ask(market, provider, stampBps)
      requirePayable(market, shares, asked)
      const { block, held, now, vault } = asked
      const chain = chains.get(market.chainId)
      const signer = vault ? vault.owner : provider
      const built = vault
        ? await intents.build(
            { chain, pair: withdrawCall, target: provider, kind: 'vault' },
            { market: market.address, shares },
            signer,
            explainLending,
          )
        : await intents.build(
            { chain, pair: removeLiquidityCall, target: market.address, kind: 'market' },
            { shares },
            signer,
            explainLending,
          )
      const amount = poolValueDown(shares, now, market.borrowDecimals)
      const data = {
        ...built,
        functionName: vault ? ('withdraw' as const) : ('removeLiquidity' as const),
        provider,
        requiredSigner: signer,
        asset: assetOf(market),
        note: vault ? VAULT_NOTE : null,
        shares: shownShares(shares),
        expectedAmount: formatUnits(amount, market.borrowDecimals),
        expectedAmountRaw: amount.toString(),
        sharesAfter: shownShares(held - shares),
        ...(amount > 0n ? { quoteValidForSeconds: QUOTE_SECONDS as 120 } : {}),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/remove-liquidity`),
          field: 'txHash' as const,
          body: { provider, txHash: null },
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, body: RemoveBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const expected = expectedProvider(body.provider)
      const intent = {
        chain: chains.get(market.chainId),
        pair: removeLiquidityCall,
        target: market.address,
        kind: 'market',
      }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const { shares, ...facts } = movedFacts(market, proof)
      return { data: { ...facts, sharesRedeemed: shares }, block: proof.transaction.block }
    },
  }
}

export type RemoveLiquidity = ReturnType<typeof createRemoveLiquidity>

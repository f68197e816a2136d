import { lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { accrualUp, assetOf, type Market, payableSharesDown, poolValueDown, shownShares } from '../core/index.rules.ts'
import { at, marketWrite, optionalAddress, requirePositive } from '../core/index.ts'
import { requireProvider } from './liquidity-request.ts'
import { movedAnswer } from './moved-answer.ts'
import { providerReads, vaultBehind } from './provider.reads.ts'
import { highestStampOf } from './providers.service.ts'

/** How long the answer holds while nobody draws on the pool: interest makes the same shares cost more meanwhile. */
const QUOTE_SECONDS = 120
const VAULT_NOTE = 'The provider is a vault: its owner signs, and the money goes to the vault.'

/** The same through a vault, which its owner tells to. The event of the market proves either. */
const withdraw = at('vault', 'withdraw', 'Withdrawn')

async function readReturn(
  chain: Chain,
  market: Market,
  provider: Address,
  stampBps: bigint,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE'>,
) {
  const { block, results } = await readNamed(chain, providerReads(market, provider))
  const { pool, shares } = results
  if (!pool.ok || !shares.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const { totalBorrowed, borrowRateWad, totalAssets } = pool.value
  const growth = accrualUp(totalBorrowed, borrowRateWad, stampBps, BigInt(QUOTE_SECONDS))
  return {
    block,
    held: shares.value,
    now: pool.value,
    later: { ...pool.value, totalAssets: totalAssets + growth },
    vault: vaultBehind(market, results),
  }
}

/** Refuses what the pool would refuse within the time of the quote. */
function requirePayable(
  { borrowDecimals, borrowSymbol }: Market,
  shares: bigint,
  { held, now, later }: Awaited<ReturnType<typeof readReturn>>,
  refuse: Refuse<'INSUFFICIENT_SHARES' | 'INSUFFICIENT_LIQUIDITY'>,
): void {
  if (shares > held)
    throw refuse('INSUFFICIENT_SHARES', {
      extra: { details: { held: shownShares(held), required: shownShares(shares) } },
    })
  if (poolValueDown(shares, later, borrowDecimals) <= later.cash) return
  const payable = payableSharesDown(later, borrowDecimals)
  const most = payable < held ? payable : held
  const worth = formatUnits(poolValueDown(most, now, borrowDecimals), borrowDecimals)
  throw refuse('INSUFFICIENT_LIQUIDITY', {
    detail: `The pool has lent out too much to pay that now. The most it can pay is ${shownShares(most)} shares, worth ${worth} ${borrowSymbol}.`,
    extra: { details: { maxShares: shownShares(most), maxAmount: worth } },
  })
}

/** Pool shares back for money. */
export const removeLiquidity = marketWrite(lendingOperations.removeLiquidity, {
  call: at('market', 'removeLiquidity', 'LiquidityRemoved'),

  async build({ tenant, market, chain, body, cash, refuse }) {
    const provider = requireProvider(body.provider, refuse)
    const shares = requirePositive('shares', body.shares, 18)
    const pool = await readReturn(chain, market, provider, await highestStampOf(tenant, market), refuse)
    requirePayable(market, shares, pool, refuse)
    const { block, held, now, vault } = pool
    const signer = vault ? vault.owner : provider
    const amount = poolValueDown(shares, now, market.borrowDecimals)
    const byVault = { call: withdraw.prepare(provider, { market: market.address, shares }), functionName: 'withdraw' }
    return {
      block,
      signer,
      ...(vault ? { instead: byVault } : { args: { shares } }),
      confirmWith: { provider },
      answer: {
        provider,
        requiredSigner: signer,
        asset: assetOf(market),
        note: vault ? VAULT_NOTE : null,
        shares: shownShares(shares),
        expectedAmount: cash(amount),
        expectedAmountRaw: amount.toString(),
        sharesAfter: shownShares(held - shares),
        ...(amount > 0n ? { quoteValidForSeconds: QUOTE_SECONDS as 120 } : {}),
      },
    }
  },

  expect: ({ body }) => ({ provider: optionalAddress('provider', body.provider) ?? undefined }),

  proven: (proof, { market }) => ({ ...movedAnswer(market, proof), sharesRedeemed: shownShares(proof.effect.shares) }),
})

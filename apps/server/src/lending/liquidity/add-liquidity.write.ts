import { lendingOperations } from '@tallystick/wire'
import { type Address, erc20Abi, zeroAddress } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { approveStep } from '../../platform/chain/unsigned-call.ts'
import { abis } from '../contracts.ts'
import {
  assetOf,
  type Market,
  type PoolBooks,
  partBps,
  poolForDeposit,
  poolSharePrice,
  sharesForDown,
  shownShares,
} from '../core/index.rules.ts'
import { at, marketWrite, optionalAddress, requirePositive } from '../core/index.ts'
import { requireProvider } from './liquidity-request.ts'
import { movedAnswer } from './moved-answer.ts'
import { providerReads, vaultBehind } from './provider.reads.ts'

const VAULT_NOTE = 'The provider is a vault: its owner signs, and the vault pays out of its idle money.'

/** The same through a vault, which its owner tells to. The event of the market proves either. */
const supply = at('vault', 'supply', 'Supplied')

function previewOf(pool: PoolBooks, held: bigint, amount: bigint, decimals: number) {
  const { startsNewEpoch, ...found } = poolForDeposit(pool, decimals)
  const minted = sharesForDown(amount, found, decimals)
  const after = (startsNewEpoch ? 0n : held) + minted
  return {
    sharesMinted: shownShares(minted),
    sharesAfter: shownShares(after),
    shareOfPoolBps: partBps(after, found.totalShares + minted),
    sharePrice: poolSharePrice(found, decimals),
    startsNewEpoch,
  }
}

/** Everything that decides, at one block; refuses where the market would. */
async function readDeposit(
  chain: Chain,
  market: Market,
  provider: Address,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'MARKET_PENDING_CURATOR' | 'LIQUIDITY_VAULT_ONLY' | 'MARKET_PAUSED'>,
) {
  const { address } = market
  const { block, results } = await readNamed(chain, {
    ...providerReads(market, provider),
    parts: contractRead(address, abis.market, 'parts', []),
    paused: contractRead(address, abis.market, 'isPaused', []),
    minimum: contractRead(address, abis.market, 'minInitialDeposit', []),
    vaults: contractRead(address, abis.market, 'vaults', []),
    balance: contractRead(market.borrowAsset, erc20Abi, 'balanceOf', [provider]),
  })
  const { pool, shares, parts, paused, minimum, vaults, balance } = results
  if (!pool.ok || !shares.ok || !parts.ok || !paused.ok || !minimum.ok || !vaults.ok || !balance.ok)
    throw refuse('MARKET_STATE_UNAVAILABLE')
  const operator = parts.value.operator.toLowerCase()
  if (operator === zeroAddress) throw refuse('MARKET_PENDING_CURATOR')
  const isVault = vaults.value.some((vault) => vault.toLowerCase() === provider)
  if (provider !== operator && !isVault) throw refuse('LIQUIDITY_VAULT_ONLY')
  if (paused.value) throw refuse('MARKET_PAUSED')
  const vault = isVault ? vaultBehind(market, results) : null
  return {
    block,
    pool: pool.value,
    held: shares.value,
    minimum: minimum.value,
    vault,
    payable: vault ? vault.idle : balance.value,
  }
}

/** Money of the operator wallet or of a registered vault for the pool. */
export const addLiquidity = marketWrite(lendingOperations.addLiquidity, {
  call: at('market', 'addLiquidity', 'LiquidityAdded'),

  async build({ market, chain, body, cash, refuse }) {
    const provider = requireProvider(body.provider, refuse)
    const amount = requirePositive('amount', body.amount, market.borrowDecimals)
    const { block, pool, held, minimum, vault, payable } = await readDeposit(chain, market, provider, refuse)
    if (poolForDeposit(pool, market.borrowDecimals).totalShares === 0n && amount < minimum)
      throw refuse('BELOW_MIN_DEPOSIT', {
        detail: `The pool is empty or wiped out: its first deposit must be at least ${cash(minimum)} ${market.borrowSymbol}.`,
        extra: { details: { minimum: cash(minimum) } },
      })
    if (payable < amount)
      throw refuse('INSUFFICIENT_BALANCE', {
        extra: { details: { payer: provider, balance: cash(payable), required: cash(amount) } },
      })
    if (vault && vault.room !== null && vault.room < amount)
      throw refuse('ABOVE_DRAW_CAP', { extra: { details: { room: cash(vault.room), required: cash(amount) } } })
    const signer = vault ? vault.owner : provider
    const shown = `${cash(amount)} ${market.borrowSymbol}`
    const byVault = { call: supply.prepare(provider, { market: market.address, amount }), functionName: 'supply' }
    const approval = approveStep(market.borrowAsset, market.address, amount, `Lets the market take ${shown}.`)
    return {
      block,
      signer,
      ...(vault ? { instead: byVault } : { args: { amount } }),
      steps: vault
        ? { before: [], description: `Puts ${shown} of the vault's idle money into the pool.` }
        : { before: [approval], description: `Adds ${shown} to the pool.` },
      confirmWith: { provider },
      answer: {
        functionName: vault ? ('supply' as const) : ('addLiquidity' as const),
        provider,
        requiredSigner: signer,
        asset: assetOf(market),
        note: vault ? VAULT_NOTE : null,
        amount: cash(amount),
        amountRaw: amount.toString(),
        preview: previewOf(pool, held, amount, market.borrowDecimals),
      },
    }
  },

  expect: ({ body }) => ({ provider: optionalAddress('provider', body.provider) ?? undefined }),

  proven: (proof, { market }) => ({ ...movedAnswer(market, proof), shares: shownShares(proof.effect.shares) }),
})

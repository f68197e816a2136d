import type { BodyOf, lendingOperations } from '@tallystick/wire'
import { type Address, erc20Abi, type Hex, zeroAddress } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { type PoolBooks, partBps, poolForDeposit, poolSharePrice, sharesForDown, shownShares } from '../pool.rules.ts'
import { requirePositive } from '../request-fields.ts'
import { approveStep, buildSteps, type PlannedStep } from '../steps.ts'
import { addLiquidityCall, supplyCall } from './liquidity.call.ts'
import { assetOf, expectedProvider, requireProvider } from './liquidity-request.ts'
import { movedFacts } from './moved-facts.ts'
import { providerReads, vaultBehind } from './provider.reads.ts'

type AddBody = BodyOf<typeof lendingOperations.addLiquidity>

const VAULT_NOTE = 'The provider is a vault: its owner signs, and the vault pays out of its idle money.'

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

/** Money of the operator wallet or of a registered vault for the pool. */
export function createAddLiquidity({ clock, chains, intents }: LendingParts) {
  /** Everything that decides, at one block; refuses where the market would. */
  async function ask(market: Market, provider: Address) {
    const { address } = market
    const { block, results } = await readNamed(chains.get(market.chainId), {
      ...providerReads(market, provider),
      parts: contractRead(address, abis.market, 'parts', []),
      paused: contractRead(address, abis.market, 'isPaused', []),
      minimum: contractRead(address, abis.market, 'minInitialDeposit', []),
      vaults: contractRead(address, abis.market, 'vaults', []),
      balance: contractRead(market.borrowAsset, erc20Abi, 'balanceOf', [provider]),
    })
    const { pool, shares, parts, paused, minimum, vaults, balance } = results
    if (!pool.ok || !shares.ok || !parts.ok || !paused.ok || !minimum.ok || !vaults.ok || !balance.ok)
      throw new AppError('MARKET_STATE_UNAVAILABLE')
    const operator = parts.value.operator.toLowerCase()
    if (operator === zeroAddress) throw new AppError('MARKET_PENDING_CURATOR')
    const isVault = vaults.value.some((vault) => vault.toLowerCase() === provider)
    if (provider !== operator && !isVault) throw new AppError('LIQUIDITY_VAULT_ONLY')
    if (paused.value) throw new AppError('MARKET_PAUSED')
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

  function plan(market: Market, provider: Address, amount: bigint, isVault: boolean): PlannedStep[] {
    const { address, borrowAsset, borrowSymbol, borrowDecimals } = market
    const shown = `${formatUnits(amount, borrowDecimals)} ${borrowSymbol}`
    if (isVault)
      return [
        {
          call: supplyCall.prepare(provider, { market: address, amount }),
          functionName: supplyCall.functionName,
          description: `Puts ${shown} of the vault's idle money into the pool.`,
        },
      ]
    return [
      approveStep(borrowAsset, address, amount, `Lets the market take ${shown}.`),
      {
        call: addLiquidityCall.prepare(address, { amount }),
        functionName: addLiquidityCall.functionName,
        description: `Adds ${shown} to the pool.`,
      },
    ]
  }

  return {
    async build(call: MarketCall, marketId: string, body: AddBody) {
      const { market } = await findDeployedMarket(call, marketId)
      const provider = requireProvider(body.provider)
      const amount = requirePositive('amount', body.amount, market.borrowDecimals)
      const { block, pool, held, minimum, vault, payable } = await ask(market, provider)
      const shown = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
      if (poolForDeposit(pool, market.borrowDecimals).totalShares === 0n && amount < minimum)
        throw new AppError('BELOW_MIN_DEPOSIT', {
          detail: `The pool is empty or wiped out: its first deposit must be at least ${shown(minimum)} ${market.borrowSymbol}.`,
          extra: { details: { minimum: shown(minimum) } },
        })
      if (payable < amount)
        throw new AppError('INSUFFICIENT_BALANCE', {
          extra: { details: { payer: provider, balance: shown(payable), required: shown(amount) } },
        })
      if (vault && vault.room !== null && vault.room < amount)
        throw new AppError('ABOVE_DRAW_CAP', {
          extra: { details: { room: shown(vault.room), required: shown(amount) } },
        })
      const signer = vault ? vault.owner : provider
      const planned = plan(market, provider, amount, vault !== null)
      const { built, calls } = await buildSteps(chains.get(market.chainId), signer, planned, clock)
      const data = {
        ...built,
        confirmStepIndex: planned.length - 1,
        functionName: vault ? ('supply' as const) : ('addLiquidity' as const),
        provider,
        requiredSigner: signer,
        asset: assetOf(market),
        note: vault ? VAULT_NOTE : null,
        amount: shown(amount),
        amountRaw: amount.toString(),
        preview: previewOf(pool, held, amount, market.borrowDecimals),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/add-liquidity`),
          field: 'txHash' as const,
          body: { provider, txHash: null },
        },
      }
      return { data, block, calls }
    },

    async confirm(call: MarketCall, marketId: string, body: AddBody & { txHash: string }) {
      const { market } = await findDeployedMarket(call, marketId)
      const expected = expectedProvider(body.provider)
      const intent = {
        chain: chains.get(market.chainId),
        pair: addLiquidityCall,
        target: market.address,
        kind: 'market',
      }
      const proof = await intents.confirm(call.tenant, intent, expected, body.txHash as Hex)
      const { shares, ...facts } = movedFacts(market, proof)
      return { data: { ...facts, shares }, block: proof.transaction.block }
    },
  }
}

export type AddLiquidity = ReturnType<typeof createAddLiquidity>

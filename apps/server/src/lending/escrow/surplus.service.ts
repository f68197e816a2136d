import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError, fieldError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { assetOf } from '../insurance/insurance-status.service.ts'
import type { Market } from '../market/market.store.ts'
import { endpointAt, findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { requireAddressField } from '../request-fields.ts'
import { explainLending } from '../reverts/index.ts'
import { claimSurplusCall } from './claims.call.ts'

type ClaimBody = BodyOf<typeof lendingOperations.claimSurplus>

async function readSurplus(chain: Chain, { address }: Market, holder: Address) {
  const { block, results } = await chain.read([contractRead(address, abis.market, 'surplusOf', [holder])])
  const [surplus] = results
  if (!surplus.ok) throw new AppError('SURPLUS_UNREADABLE')
  return { block, surplus: surplus.value }
}

/** What liquidations yielded beyond the debt, and the borrow asset refused to pay out. */
export function createSurplus({ chains, intents }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string, holderText: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const holder = requireAddressField('holder', holderText)
      const { block, surplus } = await readSurplus(chains.get(market.chainId), market, holder)
      const data = {
        marketAddress: market.address,
        holderAddress: holder,
        escrowed: formatUnits(surplus, market.borrowDecimals),
        escrowedRaw: surplus.toString(),
        claimable: surplus > 0n,
        asset: assetOf(market),
      }
      return { data, block }
    },

    async build(call: MarketCall, marketId: string, { holderAddress }: ClaimBody) {
      const { market } = await findDeployedMarket(call, marketId)
      if (holderAddress === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'holderAddress', message: 'is required' }])
      const holder = requireAddressField('holderAddress', holderAddress)
      const chain = chains.get(market.chainId)
      const { block, surplus } = await readSurplus(chain, market, holder)
      if (surplus === 0n) throw new AppError('NO_ESCROWED_SURPLUS')
      const intent = { chain, pair: claimSurplusCall, target: market.address, kind: 'market' }
      const built = await intents.build(intent, {}, holder, explainLending)
      const amount = formatUnits(surplus, market.borrowDecimals)
      const data = {
        ...built,
        description: `Pays ${holder} the ${amount} ${market.borrowSymbol} that are escrowed for it. Only that wallet can sign.`,
        holderAddress: holder,
        escrowedSurplus: amount,
        escrowedSurplusRaw: surplus.toString(),
        confirmWith: {
          endpoint: endpointAt(call.mountedAt, `/positions/${marketId}/claim-surplus`),
          field: 'txHash' as const,
        },
      }
      return { data, block, calls: [built.transaction] }
    },

    async confirm(call: MarketCall, marketId: string, txHash: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const chain = chains.get(market.chainId)
      const intent = { chain, pair: claimSurplusCall, target: market.address, kind: 'market' }
      const { effect, transaction, verifiedBy } = await intents.confirm(call.tenant, intent, {}, txHash as Hex)
      const raw = BigInt(String(effect.amount))
      const data = {
        txHash: transaction.hash,
        ...(verifiedBy ? { verifiedBy } : {}),
        claimedBy: String(effect.borrower),
        amount: formatUnits(raw, market.borrowDecimals),
        amountRaw: raw.toString(),
      }
      return { data, block: transaction.block }
    },
  }
}

export type Surplus = ReturnType<typeof createSurplus>

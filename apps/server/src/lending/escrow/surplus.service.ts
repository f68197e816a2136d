import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import { assetOf } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { readSurplus } from './surplus.reads.ts'

/** What liquidations yielded beyond the debt, and the borrow asset refused to pay out. */
export function createSurplus({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string, holderText: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const holder = requireAddressField('holder', holderText)
      const { block, surplus } = await readSurplus(chains.get(market.chainId), market, holder)
      if (surplus === null) throw new AppError('SURPLUS_UNREADABLE')
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
  }
}

export type Surplus = ReturnType<typeof createSurplus>

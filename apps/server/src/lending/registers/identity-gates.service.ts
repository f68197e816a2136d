import { type Address, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { readGates } from './identity-gates.reads.ts'
import { shownGates } from './identity-gates.rules.ts'
import { findRegisters } from './identity-gates.store.ts'

export const orNull = (address: Address | undefined): Address | null =>
  address === undefined || address === zeroAddress ? null : address

/** The registers as they stand; those that the market named last are asked in the same round trip. Null: it does not answer. */
export async function readGatesNow(tenant: TenantDatabase, chain: Chain, market: Market) {
  const [last] = await tenant.read((sql) => findRegisters(sql, market.chainId, market.address))
  return readGates(chain, market, { borrower: orNull(last?.borrower), provider: orNull(last?.provider) })
}

/** Which registers decide about borrowers and depositors of a market. */
export function createIdentityGates({ chains }: LendingParts) {
  return {
    async get(call: MarketCall, marketId: string) {
      const { market } = await findDeployedMarket(call, marketId)
      const found = await readGatesNow(call.tenant, chains.get(market.chainId), market)
      if (!found) throw new AppError('IDENTITY_GATES_UNREADABLE')
      return { data: shownGates(market.address, market.priceSource, found.gates), block: found.block }
    },
  }
}

export type IdentityGates = ReturnType<typeof createIdentityGates>

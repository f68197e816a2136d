import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type BookClass, classOf } from '../books/index.rules.ts'
import type { TradingParts } from '../parts.ts'
import { readVaultBalance, readWalletBalance } from './balance.reads.ts'
import { asBalance, chainAmountUp } from './balance.rules.ts'
import { isCustodyOfClass, listDueUnits, readReserved } from './custody.store.ts'

/** The custody contract that a path names, if books of the class settle there. */
export async function requireCustody(
  tenant: TenantDatabase,
  chainId: number,
  bookClass: BookClass,
  text: string,
): Promise<Address> {
  const custody = requireAddressField('custodyContract', text)
  const [row] = await tenant.read((sql) => isCustodyOfClass(sql, chainId, bookClass, custody))
  if (!row?.isCustody) throw new AppError('CUSTODY_NOT_FOUND')
  return custody
}

interface BalancePath {
  readonly custodyContract: string
  readonly userAddress: string
  readonly tokenAddress: string
}

/** Silence is no balance. */
export const silent = () =>
  new AppError('CHAIN_UNAVAILABLE', { detail: 'The token or the custody contract does not answer.' })

export function createBalances({ chains, clock, units }: TradingParts) {
  return {
    async get(tenant: TenantDatabase, { instance }: Caller, mountedAt: string, path: BalancePath) {
      const { chainId } = instance
      const bookClass = classOf(mountedAt)
      const user = requireAddressField('userAddress', path.userAddress)
      const token = requireAddressField('tokenAddress', path.tokenAddress)
      const custodyContract = await requireCustody(tenant, chainId, bookClass, path.custodyContract)
      const read = bookClass === 'external-securities' ? readWalletBalance : readVaultBalance
      const due = await tenant.read((sql) => listDueUnits(sql, tenant.instanceId, user, clock.now()))
      for (const { unitId } of due) await units.expireDue(unitId)
      const [found, rows] = await Promise.all([
        read(chains.get(chainId), custodyContract, user, token),
        tenant.read((sql) => readReserved(sql, { chainId, custodyContract, holder: user })),
      ])
      if (!found) throw silent()
      const { block, backing, decimals, vault } = found
      const reserved = rows.find(({ tokenAddress }) => tokenAddress === token)?.reserved ?? 0n
      return { data: { ...asBalance(backing, chainAmountUp(reserved, decimals)), vault }, block }
    },
  }
}

export type Balances = ReturnType<typeof createBalances>

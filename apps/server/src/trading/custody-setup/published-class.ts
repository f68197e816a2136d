import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { readActiveImport } from '../../tokens/index.ts'
import { cfidOf, wholeClass } from './commodity-class.rules.ts'

/** The class of a commodity, by what the instance published about its token and what the token itself says. */
export async function publishedCfid(
  tenant: TenantDatabase,
  token: Address,
  symbolOnChain: string | null,
  market: { quoteToken: string; custodyContract: string },
): Promise<Hex> {
  const [row] = await tenant.read((sql) => readActiveImport(sql, tenant.instanceId, token))
  const published = row?.profile?.commodity
  if (!published) throw new AppError('ATTESTATION_NOT_FOUND')
  const commodity = wholeClass(published)
  if (!commodity) throw new AppError('ATTESTATION_INCOMPLETE')
  if (commodity.symbol !== symbolOnChain) throw new AppError('CFID_UNVERIFIED')
  return cfidOf(commodity, market)
}

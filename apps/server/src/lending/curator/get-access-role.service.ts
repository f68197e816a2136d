import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { heldRead } from './access-role.reads.ts'
import { isAccessRole } from './access-role.rules.ts'
import { idOf, shownRole } from './access-role-place.ts'

/** A failed read is said to be one: it never looks like a role that is not held. */
export function createGetAccessRole({ chains }: LendingParts) {
  return async function get(call: MarketCall, marketId: string, address: string, role: string | undefined) {
    const record = await findDeployedMarket(call, marketId)
    if (!isAccessRole(role)) throw new AppError('UNKNOWN_ROLE')
    const account = requireAddress(address)
    const subject = shownRole(record, { role, account })
    try {
      const { market } = record
      const { block, results } = await chains.get(market.chainId).read([heldRead(market, role, account, idOf(role))])
      const [held] = results
      return { data: { ...subject, granted: held.ok ? held.value : null, failed: !held.ok }, block }
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error
      return { data: { ...subject, granted: null, failed: true } }
    }
  }
}

export type GetAccessRole = ReturnType<typeof createGetAccessRole>

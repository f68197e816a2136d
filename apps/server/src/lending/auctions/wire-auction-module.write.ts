import { lendingOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import { legsRoute } from '../../platform/http/legs.ts'
import { findDeployedMarket } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { createConfirmAuction } from './confirm-auction.service.ts'
import { createCreateVenue } from './create-venue.service.ts'
import { createWireVenue } from './wire-venue.service.ts'

/**
 * From no venue to one that sells: its creation, everything that has to know it, and the proof, which two contracts may hold. A write of the
 * kit has one signer and is proven at one contract: so both legs are written out here.
 */
export function wireAuctionModule(parts: LendingParts) {
  const create = createCreateVenue(parts)
  const wire = createWireVenue(parts)
  const confirm = createConfirmAuction(parts)
  return legsRoute(lendingOperations.wireAuctionModule, {
    async build({ tenant, mountedAt, params, body: { moduleAddress } }) {
      const call = { tenant, mountedAt }
      const record = await findDeployedMarket(call, params.marketId)
      return moduleAddress === undefined ? create(record) : wire(call, record, moduleAddress)
    },

    async confirm({ tenant, mountedAt, params, body: { txHash, moduleAddress } }) {
      const call = { tenant, mountedAt }
      return confirm(call, await findDeployedMarket(call, params.marketId), txHash as Hex, moduleAddress)
    },
  })
}

import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import { findDeployedMarket, type MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { createConfirmAuction } from './confirm-auction.service.ts'
import { createCreateVenue } from './create-venue.service.ts'
import { createWireVenue } from './wire-venue.service.ts'

type WireBody = BodyOf<typeof lendingOperations.wireAuctionModule>

/** From no venue to one that sells: its creation, everything that has to know it, and the proof. */
export function createWireAuction(parts: LendingParts) {
  const create = createCreateVenue(parts)
  const wire = createWireVenue(parts)
  const confirm = createConfirmAuction(parts)
  return async function handle(call: MarketCall, marketId: string, { moduleAddress, txHash }: WireBody) {
    const record = await findDeployedMarket(call, marketId)
    if (txHash !== undefined) return confirm(call, record, txHash as Hex, moduleAddress)
    return moduleAddress === undefined ? create(record) : wire(call, record, moduleAddress)
  }
}

export type WireAuction = ReturnType<typeof createWireAuction>

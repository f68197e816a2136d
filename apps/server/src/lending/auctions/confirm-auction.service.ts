import type { Address, Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { DeployedRecord, MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { authorizeSourceCall, setAuctionModuleCall } from './venue-calls.ts'

/** Codes that only say that this was not the call: another of the two may have been made. */
const otherCall = new Set(['TX_WRONG_TARGET', 'TX_NOT_VERIFIED'])

/** The market itself is a source of the router as well, and no venue. */
const admissionOfVenue = (market: Address) => ({
  ...authorizeSourceCall,
  isFor: (...[effect, expected]: Parameters<typeof authorizeSourceCall.isFor>) =>
    effect.source !== market && authorizeSourceCall.isFor(effect, expected),
})

/** Takes the wiring of a venue down; from then on its auctions are followed. One transaction may have done both. */
export function createConfirmAuction({ chains, writes }: LendingParts) {
  return async function confirm(
    { tenant }: MarketCall,
    { market }: DeployedRecord,
    txHash: Hex,
    text: string | undefined,
  ) {
    const venue = text === undefined ? undefined : parseAddress(text)
    // An address of a wrong form was never wired.
    if (venue === null) throw new AppError('TX_NOT_VERIFIED')
    const chain = chains.get(market.chainId)
    const refusals: AppError[] = []
    async function attempt<T>(work: Promise<T>): Promise<T | null> {
      try {
        return await work
      } catch (error) {
        if (!(error instanceof AppError) || !otherCall.has(error.code)) throw error
        refusals.push(error)
        return null
      }
    }

    const wiring = { chain, pair: setAuctionModuleCall, target: market.address, kind: 'market' }
    const wired = await attempt(writes.confirm(tenant, wiring, { newModule: venue }, txHash))
    const admission = { chain, pair: admissionOfVenue(market.address), target: market.router, kind: 'router' }
    const admitted = await attempt(writes.confirm(tenant, admission, { source: venue, isAuthorized: true }, txHash))
    const proof = wired ?? admitted
    const moduleAddress = wired?.effect.newModule ?? admitted?.effect.source
    // What the transaction did touch says most about why it does not count.
    if (!proof || !moduleAddress)
      throw refusals.find(({ code }) => code === 'TX_NOT_VERIFIED') ?? new AppError('TX_WRONG_TARGET')
    const { transaction, verifiedBy } = proof
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      moduleAddress,
      confirmed: [
        ...(wired ? (['setAuctionModule'] as const) : []),
        ...(admitted ? (['authorizeModuleOnRouter'] as const) : []),
      ],
    }
    return { data, block: transaction.block }
  }
}

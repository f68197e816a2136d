import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { DeployedRecord, MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { authorizeVenueCall, setAuctionModuleCall } from './auction-module.call.ts'

/** Codes that only say that this was not the call: another of the two may have been made. */
const otherCall = new Set(['TX_WRONG_TARGET', 'TX_NOT_VERIFIED'])

/** Takes the wiring of a venue down; from then on its auctions are followed. One transaction may have done both. */
export function createConfirmAuction({ chains, intents }: LendingParts) {
  return async function confirm(
    { tenant }: MarketCall,
    { market }: DeployedRecord,
    txHash: Hex,
    text: string | undefined,
  ) {
    const venue = text === undefined ? undefined : parseAddress(text)
    // An address of a wrong form was never wired.
    if (venue === null) throw new AppError('TX_NOT_VERIFIED')
    const expected = venue ? { venue } : {}
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
    const wired = await attempt(intents.confirm(tenant, wiring, expected, txHash))
    const admission = { chain, pair: authorizeVenueCall, target: market.router, kind: 'router' }
    const admitted = await attempt(intents.confirm(tenant, admission, { ...expected, market: market.address }, txHash))
    const proof = wired ?? admitted
    // What the transaction did touch says most about why it does not count.
    if (!proof) throw refusals.find(({ code }) => code === 'TX_NOT_VERIFIED') ?? new AppError('TX_WRONG_TARGET')
    const { transaction, verifiedBy } = proof
    const data = {
      txHash: transaction.hash,
      ...(verifiedBy ? { verifiedBy } : {}),
      moduleAddress: String(wired?.effect.newModule ?? admitted?.effect.source),
      confirmed: [
        ...(wired ? (['setAuctionModule'] as const) : []),
        ...(admitted ? (['authorizeModuleOnRouter'] as const) : []),
      ],
    }
    return { data, block: transaction.block }
  }
}

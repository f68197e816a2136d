import { type Address, type Hex, hexToBigInt } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { DeployedRecord } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { auctionReads, wiredParts } from './auction.reads.ts'
import { venueCreation } from './venue-calls.ts'

/** A contract creation cannot be simulated as a call, but its gas can be asked for. */
async function simulateCreation(chain: Chain, from: Address | null, data: Hex) {
  const [answer] = await chain.rpc.batch([{ method: 'eth_estimateGas', params: [{ ...(from ? { from } : {}), data }] }])
  if (!answer?.ok) return { simulated: false, success: false, gasUsed: null, revert: null }
  return { simulated: true, success: true, gasUsed: hexToBigInt(answer.value as Hex).toString(), revert: null }
}

/** Where auctions make sense at all: adopted, and not priced by an exchange. */
export function requireAuctions({ market }: DeployedRecord, wired: ReturnType<typeof wiredParts>) {
  if (!wired) throw new ChainUnavailableError('the market did not answer')
  if (!wired.isAdopted) throw new AppError('MARKET_PENDING_CURATOR')
  if (market.priceSource === 'MARKET') throw new AppError('AUCTION_UNSUPPORTED_PRICE_SOURCE')
  return wired
}

/** The creation of a venue for a market that has none. */
export function createCreateVenue({ chains }: LendingParts) {
  return async function create(record: DeployedRecord) {
    const { market, wallets } = record
    const chain = chains.get(market.chainId)
    const { block, results } = await readNamed(chain, auctionReads(market, null, market.insuranceFund))
    if (requireAuctions(record, wiredParts(results)).venue) throw new AppError('MODULE_ALREADY_SET')
    const creation = venueCreation(market)
    const data = {
      action: 'SIGN_TRANSACTION' as const,
      transaction: { data: creation },
      value: '0' as const,
      chainId: market.chainId,
      functionName: 'deploySecurityAuctionModule' as const,
      contractCreation: true as const,
      simulation: await simulateCreation(chain, wallets[0] ?? null, creation),
      description: 'Creates an auction venue that serves this market only. Any wallet may create it.',
      next: 'Send the address that the receipt names to this route, as moduleAddress.',
    }
    return { data, block }
  }
}

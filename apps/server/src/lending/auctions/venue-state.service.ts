import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import type { DeployedRecord } from '../core/index.ts'
import { wiredParts } from './auction.reads.ts'
import { findKnownAuctions, type KnownAuctions } from './auction.store.ts'
import { auctionsIn, conditionsIn, venueStateReads } from './auction-state.reads.ts'

const unavailable = () => new ChainUnavailableError('the auctions could not be read')
const nothingKnown: KnownAuctions = { open: [], knownTo: '0' }

/** What our record knows of the auctions of a venue; the chain may know more. */
export async function knownAuctions(tenant: TenantDatabase, { market, venue }: DeployedRecord): Promise<KnownAuctions> {
  if (!venue) return nothingKnown
  const [known = nothingKnown] = await tenant.read((sql) => findKnownAuctions(sql, market.chainId, venue))
  return known
}

interface Wanted {
  readonly venue: Address | null
  readonly ids: readonly bigint[]
  readonly loanId?: bigint
}

/** One question to the market and to the venue that it is thought to have; `isSame`: it has that one. */
async function ask(chain: Chain, market: Market, { venue, ids, loanId }: Wanted) {
  const { block, results } = await readNamed(chain, venueStateReads(market, venue, ids, loanId))
  const wired = wiredParts(results)
  const conditions = conditionsIn(results, block.time)
  if (!wired || !conditions) throw unavailable()
  if (wired.venue !== venue) return { block, isSame: false as const, venue: wired.venue, conditions }
  const [count, ofLoan] = [results.count[0], results.ofLoan[0]]
  const auctions = auctionsIn(results, venue ? ids : [])
  if (!auctions || (venue && !count?.ok) || (ofLoan && !ofLoan.ok)) throw unavailable()
  return {
    block,
    isSame: true as const,
    venue,
    conditions,
    auctions,
    count: count?.ok ? count.value : 0n,
    ofLoan: ofLoan?.ok ? ofLoan.value : 0n,
  }
}

/**
 * Asks until the answer is about what the chain has: `next` says from an answer what is missing in it, null: nothing. What our record
 * knew beforehand makes that one round trip in all but a few cases.
 */
export async function readVenueState(
  chain: Chain,
  market: Market,
  first: Wanted,
  next: (state: VenueState) => readonly bigint[] | null,
): Promise<VenueState> {
  let wanted = first
  for (let turn = 0; turn < 4; turn++) {
    const state = await ask(chain, market, wanted)
    if (!state.isSame) {
      wanted = { ...first, venue: state.venue, ids: [] }
      continue
    }
    const more = next(state)
    if (!more) return state
    wanted = { ...wanted, ids: more }
  }
  throw unavailable()
}

export type VenueState = Extract<Awaited<ReturnType<typeof ask>>, { isSame: true }>

/** Every open auction of the market, as the chain has them. */
export function readOpenAuctions(chain: Chain, { market, venue }: DeployedRecord, known: KnownAuctions) {
  const open = known.open.map(({ auctionId }) => BigInt(auctionId))
  let asked = { venue, ids: open, to: BigInt(known.knownTo) }
  return readVenueState(chain, market, { venue, ids: open }, (state) => {
    if (state.venue !== asked.venue) asked = { venue: state.venue, ids: [], to: 0n }
    if (state.count <= asked.to) return null
    const later = Array.from({ length: Number(state.count - asked.to) }, (_, index) => asked.to + BigInt(index) + 1n)
    asked = { ...asked, ids: [...asked.ids, ...later], to: state.count }
    return asked.ids
  })
}

/** One auction by its number. Undefined: the venue never held it. */
export async function readAuction(chain: Chain, { market, venue }: DeployedRecord, auctionId: bigint) {
  let askedAt = venue
  const state = await readVenueState(chain, market, { venue, ids: [auctionId] }, (found) => {
    if (found.venue === askedAt) return null
    askedAt = found.venue
    return [auctionId]
  })
  return { ...state, auction: state.auctions.get(auctionId) }
}

/** The venue that a market has now, for a confirmation. */
export async function requireVenue(
  chain: Chain,
  { address }: Market,
  refuse: Refuse<'AUCTION_MODULE_NOT_SET'>,
): Promise<Address> {
  const { results } = await chain.read([contractRead(address, abis.market, 'parts', [])])
  const wired = wiredParts({ parts: results[0] })
  if (!wired) throw new ChainUnavailableError('the market did not answer')
  if (!wired.venue) throw refuse('AUCTION_MODULE_NOT_SET')
  return wired.venue
}

import type { Address } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { findFactory, isServedAt } from '../core/index.ts'
import { readCandidateMarket } from './candidate-market.reads.ts'
import { findKnownMarkets, type KnownMarket } from './known-markets.store.ts'
import { readPublicRecords } from './public-records.ts'
import { type QueueRequest, requireMarketAddress } from './queue-request.ts'

/** What the database knows before the chain is asked: the factory, the caller's wallets, and the market if it is on record. */
export async function prepareCandidate({ tenant, instance }: QueueRequest, text: string) {
  const address = requireMarketAddress(text)
  const factory = await findFactory(tenant, instance.chainId)
  const rows = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
  const known = await readPublicRecords(tenant, (sql) => findKnownMarkets(sql, instance.chainId, [address]))
  return {
    address,
    factory,
    wallets: rows.map((row) => row.address as Address),
    known: known.get(address) as KnownMarket | undefined,
  }
}

export type Candidate = Awaited<ReturnType<typeof prepareCandidate>>

/** The market that a path names by its address, checked against the factory. */
export async function findCandidate(
  chain: Chain,
  { mountedAt }: Pick<QueueRequest, 'mountedAt'>,
  { address, factory, known }: Candidate,
) {
  if (!isServedAt(mountedAt, { market: known ?? null })) throw new AppError('MARKET_NOT_V2')
  const { block, found } = await readCandidateMarket(chain, factory, address)
  if (found === null) throw new AppError('MARKET_NOT_V2')
  if (!found) throw new AppError('MARKET_VERIFICATION_UNAVAILABLE')
  return { block, ...found }
}

import type { Address } from 'viem'
import { listWallets } from '../../access/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { findFactory, isServedAt } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import type { FactoryEntry } from './factory-entry.rules.ts'
import { findKnownMarkets, type KnownMarket, listRecordedIds } from './known-markets.store.ts'
import { gateOf, knownNames, type MarketNames, pendingRow } from './pending-row.rules.ts'
import { readPublicRecords } from './public-records.ts'
import { pageOf } from './queue-page.rules.ts'
import { type Answers, questionQueue } from './queue-questions.reads.ts'
import type { QueueRequest } from './queue-request.ts'
import { readSeekingMarkets } from './seeking-markets.reads.ts'

const MAX_QUEUED = 25
/** A claimant is looked for among so many wallets only. */
export const MAX_CLAIMANTS = 5

const nothing = { name: null, symbol: null, decimals: null }
const originOrder = ['NOMINATED', 'OPEN', 'OWN'] as const

/** Markets that seek their lender of record, from the factory itself: most of them are recorded on other instances. */
export function createQueue({ chains }: LendingParts) {
  async function seeking({ tenant, instance, mountedAt }: QueueRequest) {
    const { chainId } = instance
    const factory = await findFactory(tenant, chainId)
    const found = await readSeekingMarkets(chains.get(chainId), factory)
    if (!found) throw new AppError('FACTORY_UNREADABLE')
    const addresses = found.markets.map(({ address }) => address)
    const known = await readPublicRecords(tenant, (sql) => findKnownMarkets(sql, chainId, addresses))
    const isServed = ({ address }: FactoryEntry) => isServedAt(mountedAt, { market: known.get(address) ?? null })
    return { block: found.block, markets: found.markets.filter(isServed), known }
  }

  /** Asks only about what is shown, and only what the record does not know. */
  function question(
    chainId: number,
    markets: readonly FactoryEntry[],
    known: Map<string, KnownMarket>,
    wallets: readonly Address[] = [],
  ): Promise<Answers> {
    const unknown = markets.filter(({ address }) => !known.has(address))
    const tokens = new Set(unknown.flatMap(({ collateralToken, borrowAsset }) => [collateralToken, borrowAsset]))
    const registers = new Map<Address, readonly Address[]>()
    for (const { borrowerRegistry, isOpenToAnyCurator } of markets)
      if (borrowerRegistry && !registers.get(borrowerRegistry)?.length)
        registers.set(borrowerRegistry, isOpenToAnyCurator ? wallets : [])
    return questionQueue(chains.get(chainId), { tokens: [...tokens], registers })
  }

  function rowOf(entry: FactoryEntry, known: Map<string, KnownMarket>, answers: Answers) {
    const record = known.get(entry.address)
    const names: MarketNames = record
      ? knownNames(record)
      : {
          collateral: answers.token(entry.collateralToken) ?? nothing,
          isin: null,
          borrow: answers.token(entry.borrowAsset) ?? nothing,
        }
    const { borrowerRegistry } = entry
    const gate = gateOf(borrowerRegistry, () => answers.shape(borrowerRegistry as Address))
    return pendingRow(entry, names, gate)
  }

  return {
    async pending(request: QueueRequest, query: { limit?: string | undefined; offset?: string | undefined }) {
      const { block, markets, known } = await seeking(request)
      const { limit, offset } = pageOf(query)
      const page = markets.slice(offset, offset + limit)
      const answers = await question(request.instance.chainId, page, known)
      const rows = page.map((entry) => rowOf(entry, known, answers))
      return { data: { markets: rows, total: markets.length, offset, limit }, block }
    },

    async queued(request: QueueRequest) {
      const { tenant, instance } = request
      const { block, markets, known } = await seeking(request)
      const rows = await tenant.read((sql) => listWallets(sql, tenant.instanceId))
      const wallets = rows.map(({ address }) => address as Address)
      const recorded = await tenant.read((sql) => listRecordedIds(sql, tenant.instanceId, instance.chainId))
      const recordIds = new Map(recorded.map(({ address, marketId }) => [address, marketId]))
      const mine = markets.flatMap((entry) => {
        const origin = originOf(entry, wallets)
        return origin ? [{ entry, origin }] : []
      })
      const order = mine.toSorted(
        (a, b) =>
          originOrder.indexOf(a.origin) - originOrder.indexOf(b.origin) || (a.entry.address < b.entry.address ? -1 : 1),
      )
      const shown = order.slice(0, MAX_QUEUED)
      const claimants = wallets.slice(0, MAX_CLAIMANTS)
      const entries = shown.map(({ entry }) => entry)
      const answers = await question(instance.chainId, entries, known, claimants)
      const queue = shown.map(({ entry, origin }) => {
        const { borrowerRegistry, isOpenToAnyCurator } = entry
        const nominatedWallets = wallets.filter((wallet) => entry.candidates.includes(wallet))
        const mayClaim = (wallet: Address) =>
          isOpenToAnyCurator && !!borrowerRegistry && answers.verified(borrowerRegistry, wallet)
        const eligibleWallets = [...new Set([...nominatedWallets, ...claimants.filter(mayClaim)])]
        return {
          ...rowOf(entry, known, answers),
          origin,
          canAccept: instance.lenderApproved && eligibleWallets.length > 0,
          nominatedWallets,
          eligibleWallets,
          recordedMarketId: recordIds.get(entry.address) ?? null,
          nominator: { wallet: entry.deployer },
        }
      })
      const truncated = order.length > MAX_QUEUED
      const isBank = instance.lenderApproved
      return { data: { markets: queue, wallets, truncated, isBank, source: 'CHAIN' as const }, block }
    },
  }
}

/** Why a market stands in the queue of an instance; null: it does not. */
function originOf(entry: FactoryEntry, wallets: readonly Address[]): (typeof originOrder)[number] | null {
  if (entry.candidates.some((candidate) => wallets.includes(candidate))) return 'NOMINATED'
  if (wallets.includes(entry.deployer)) return 'OWN'
  return entry.isOpenToAnyCurator ? 'OPEN' : null
}

export type Queue = ReturnType<typeof createQueue>

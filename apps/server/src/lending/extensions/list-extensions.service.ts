import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { countersRead, type LoanNow, loanRead, type ProposalNow, proposalRead } from './extension.reads.ts'
import { liveProposal, recordedProposal } from './listed-proposal.rules.ts'
import type { KnownLoans } from './preview.rules.ts'
import {
  listRecordedLoans,
  listRecordedProposals,
  type RecordedLoans,
  type RecordedProposal,
} from './proposals.store.ts'

/** How far we look beyond what our record knows: what was mined since the follower's last round. */
const AHEAD = 10n
/** More loans than this are not asked about in one call. */
const MAX_LOANS = 400

const range = (first: bigint, last: bigint): bigint[] =>
  last < first ? [] : Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))

/** Proposals of a market, with what each would do. */
export function createListExtensions({ chains }: LendingParts) {
  async function readRecord({ tenant }: MarketCall, { chainId, address }: Market, below: bigint, limit: number) {
    const [proposals, loans] = await Promise.all([
      tenant.read((sql) => listRecordedProposals(sql, chainId, address, below, limit)),
      tenant.read((sql) => listRecordedLoans(sql, chainId, address, MAX_LOANS)),
    ])
    return { proposals, loans: loans[0] ?? { open: [], openCount: 0, highest: null } }
  }

  /** One round trip; a second only when more was proposed since the follower's last round than we looked ahead. */
  async function readChain(market: Market, below: bigint | null, limit: number, top: bigint, loans: RecordedLoans) {
    const chain = chains.get(market.chainId)
    const highest = loans.highest ?? 0n
    const loanIds = [...loans.open.map(BigInt), ...range(highest + 1n, highest + AHEAD)]
    const ask = async (ids: readonly bigint[]) => {
      const questions = [...ids.map((id) => proposalRead(market, id)), ...loanIds.map((id) => loanRead(market, id))]
      const { block, results } = await chain.read([countersRead(market), ...questions])
      const [counters, ...answers] = results
      if (!counters.ok) throw new ChainUnavailableError('the market does not answer')
      const values = answers.map((answer) => (answer.ok ? answer.value : null))
      const proposals = new Map<bigint, ProposalNow>()
      for (const [index, id] of ids.entries()) {
        const value = values[index] as ProposalNow | null
        if (!value) throw new ChainUnavailableError('a proposal of the market could not be read')
        if (value.proposedAt !== 0) proposals.set(id, value)
      }
      const read = new Map<bigint, LoanNow>()
      for (const [index, id] of loanIds.entries()) {
        const value = values[ids.length + index] as LoanNow | null
        if (value) read.set(id, value)
      }
      return { block, proposals, read, counters: counters.value }
    }
    const lowest = (last: bigint) => (last > BigInt(limit) ? last - BigInt(limit) + 1n : 1n)
    if (below !== null) return ask(range(lowest(below - 1n), below - 1n))
    const first = await ask(range(lowest(top), top + AHEAD))
    const newest = first.counters.proposalCounter
    return newest > top + AHEAD ? ask(range(lowest(newest), newest)) : first
  }

  return async (call: MarketCall, marketId: string, query: { limit?: string; cursor?: string }) => {
    const { market } = await findDeployedMarket(call, marketId)
    const { limit } = pageOf(query, { fallback: 50, most: 100 })
    const [place] = readCursor(query.cursor, /^[1-9]\d{0,17}$/) ?? []
    const below = place === undefined ? null : BigInt(place)
    const record = await readRecord(call, market, below ?? 2n ** 62n, limit)
    const top = record.proposals[0]?.proposalId ?? 0n
    const live = await chainOrNull(readChain(market, below, limit, top, record.loans))
    const recorded = new Map(record.proposals.map((one) => [one.proposalId, one]))
    const ids = [...new Set([...recorded.keys(), ...(live?.proposals.keys() ?? [])])]
    const shown = ids.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, limit)
    const loans = live && knownLoans(record.loans, live.read, live.counters.loanCounter)
    const proposals = shown.flatMap((id) => {
      const ours: RecordedProposal | undefined = recorded.get(id)
      const proposal = live?.proposals.get(id)
      if (live && loans && proposal) return [liveProposal(id, proposal, ours, loans, live.block.time)]
      return ours ? [recordedProposal(ours, live ? false : null)] : []
    })
    const oldest = shown.at(-1) ?? 1n
    const data = {
      proposals,
      chainReadFailed: live === null,
      limit,
      nextCursor: oldest > 1n ? asCursor([oldest.toString()]) : null,
    }
    return live ? { data, block: live.block } : { data }
  }
}

function knownLoans(recorded: RecordedLoans, read: ReadonlyMap<bigint, LoanNow>, count: bigint): KnownLoans {
  const open = new Set(recorded.open.map(BigInt))
  const isCut = recorded.openCount > recorded.open.length
  const knownUpTo = isCut ? BigInt(recorded.open.at(-1) ?? 0) : (recorded.highest ?? 0n)
  return { count, read, isClosed: (loanId) => loanId <= knownUpTo && !open.has(loanId) }
}

export type ListExtensions = ReturnType<typeof createListExtensions>

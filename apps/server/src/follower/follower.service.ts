import type { CallKinds } from '../platform/chain/call-pair.ts'
import type { Chain } from '../platform/chain/chain.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Sql } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { createEventStore, effectsOf, type Projection } from '../writes/index.ts'
import { finalityHeights, finalityOf } from './finality.rules.ts'
import * as store from './follower.store.ts'
import {
  type ChainHead,
  canonicalHashes,
  checkUnmoved,
  readBlock,
  readHead,
  type ScannedLog,
  scanLogs,
} from './scan.reads.ts'
import { planScans } from './scan-plan.rules.ts'

/** The node shows another genesis than the record: another chain with the same id, or one that started over. */
export class ForeignChainError extends Error {
  override readonly name = 'ForeignChainError'
}

export interface FollowerParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly kinds: CallKinds
  readonly projections: readonly Projection[]
  readonly confirmations: number
  /** Only a chain that belongs to this machine may start over; elsewhere a new genesis is a wrong RPC URL. */
  readonly mayStartOver: boolean
  /**
   * How long a chain that is shorter than the record is taken for a node that lags behind the others. After that it counts as
   * reorganized: what lay beyond is undone.
   */
  readonly lagGraceMs?: number
  /** Most blocks that one pass reads of a contract; a worker that was away catches up over several passes. */
  readonly blocksPerPass?: bigint
}

export interface PassReport {
  readonly head: bigint
  /** Up to here the events of every watched contract are known. */
  readonly followedTo: bigint
  readonly newFacts: number
  readonly orphanedFacts: number
}

/** What the usual providers serve in one answer. */
const BLOCKS_PER_PASS = 2_000n

export function createFollower(parts: FollowerParts) {
  const { database, clock, blocksPerPass = BLOCKS_PER_PASS, lagGraceMs = 0 } = parts
  const events = createEventStore(parts)
  const asChain = <T>(work: (sql: Sql) => Promise<T>) => database.as('tally_chain', work)

  /** Where the record and the chain last agreed. */
  async function commonHeight(chain: Chain, remembered: readonly store.OpenBlock[]): Promise<store.OpenBlock | null> {
    const canonical = await canonicalHashes(
      chain,
      remembered.map(({ blockNumber }) => blockNumber),
    )
    return remembered.find(({ blockNumber, blockHash }) => canonical.get(blockNumber) === blockHash) ?? null
  }

  async function settleLogs(
    sql: Sql,
    logs: readonly ScannedLog[],
    watched: readonly store.Watched[],
    changed: Set<string>,
  ): Promise<number> {
    const kindOf = new Map(watched.map(({ address, kind }) => [address, kind]))
    let facts = 0
    for (const log of logs) {
      const effects = effectsOf(parts.kinds, kindOf.get(log.address), log)
      if (effects.length === 0) continue
      const stored = await events.store(sql, log, effects, 'follower')
      facts += stored.newFacts
      if (stored.changed) changed.add(log.address)
    }
    return facts
  }

  async function settleFinality(
    sql: Sql,
    chainId: number,
    blocks: readonly store.OpenBlock[],
    canonical: Map<bigint, string | null>,
    at: ChainHead & { readonly forked: boolean },
    changed: Set<string>,
  ): Promise<number> {
    const heights = finalityHeights(at.head.number, at, parts.confirmations)
    let orphaned = 0
    for (const block of blocks) {
      // A confirm may have asked a node that is ahead of this one: what lies beyond the head is judged when the chain gets there.
      if (lagGraceMs > 0 && !at.forked && block.blockNumber > at.head.number) continue
      const finality = finalityOf(block, canonical.get(block.blockNumber) ?? null, heights)
      for (const fact of await store.setFinality(sql, chainId, block, finality)) {
        await events.noticeOrphaned(sql, { ...fact, chainId })
        changed.add(fact.subject)
        orphaned += 1
      }
    }
    return orphaned
  }

  return {
    /** One look at the chain. Everything it finds is written in one transaction, or nothing is. Null: another worker was faster. */
    async pass(chain: Chain): Promise<PassReport | null> {
      const { chainId } = chain
      const { hash: genesisHash } = await readBlock(chain, 0n)
      const known = await asChain(async (sql) => ({
        cursor: await store.readCursor(sql, chainId),
        watched: [...(await store.listWatched(sql, chainId))],
        remembered: [...(await store.listRemembered(sql, chainId))],
      }))
      if (!known.cursor) {
        const { head } = await readHead(chain, 0n)
        await asChain((sql) =>
          store.insertCursor(
            sql,
            chainId,
            { genesisHash, blockNumber: head.number, blockHash: head.hash },
            clock.now(),
          ),
        )
        return { head: head.number, followedTo: head.number, newFacts: 0, orphanedFacts: 0 }
      }
      const cursor = known.cursor
      if (cursor.genesisHash !== genesisHash && !parts.mayStartOver)
        throw new ForeignChainError(
          `the node serves chain ${chainId} from another genesis than the one on record; is RPC_URL right?`,
        )

      const at = await readHead(chain, cursor.blockNumber)
      if (at.atCursor === null && clock.now().getTime() - cursor.movedAt.getTime() < lagGraceMs)
        return { head: at.head.number, followedTo: cursor.blockNumber, newFacts: 0, orphanedFacts: 0 }
      const forked = at.atCursor?.hash !== cursor.blockHash
      const common = forked
        ? ((await commonHeight(chain, known.remembered)) ?? { blockNumber: -1n, blockHash: genesisHash })
        : cursor
      if (forked)
        parts.log.warn(
          { chainId, from: cursor.blockNumber.toString(), to: common.blockNumber.toString() },
          'the chain was reorganized',
        )

      const furthest = common.blockNumber + blocksPerPass
      const to = furthest < at.head.number ? furthest : at.head.number
      const watched = known.watched.map((one) =>
        forked && one.scannedTo > common.blockNumber ? { ...one, scannedTo: common.blockNumber } : one,
      )
      const reached = await readBlock(chain, to)
      const scans = planScans(watched, to, blocksPerPass)
      const logs: ScannedLog[] = []
      for (const scan of scans) logs.push(...(await scanLogs(chain, scan, reached)))

      const open = await asChain(async (sql) => [
        ...(await store.listOpenBlocks(sql, chainId, forked ? common.blockNumber : null)),
      ])
      const canonical = await canonicalHashes(chain, [...new Set(open.map(({ blockNumber }) => blockNumber))])
      const target = { blockNumber: reached.number, blockHash: reached.hash, genesisHash }
      await checkUnmoved(chain, [{ ...common, blockNumber: common.blockNumber < 0n ? 0n : common.blockNumber }, target])

      const report = await asChain(async (sql) => {
        if (!(await store.moveCursor(sql, chainId, cursor, target, clock.now()))) return null
        await store.lockWatched(sql, chainId)
        if (forked) await store.forgetBlocksAbove(sql, chainId, common.blockNumber)
        await store.rememberBlock(sql, chainId, target)
        const changed = new Set<string>()
        const orphanedFacts = await settleFinality(sql, chainId, open, canonical, { ...at, forked }, changed)
        const newFacts = await settleLogs(sql, logs, watched, changed)
        for (const scan of scans) await store.setScannedTo(sql, chainId, scan)
        for (const subject of changed) for (const project of parts.projections) await project(sql, chainId, subject)
        const followedTo = scans.reduce((lowest, scan) => (scan.to < lowest ? scan.to : lowest), reached.number)
        return { head: at.head.number, followedTo, newFacts, orphanedFacts }
      })
      if (report && report.orphanedFacts > 0)
        parts.log.warn({ chainId, ...numbers(report) }, 'facts were undone by a reorganization')
      return report
    },
  }
}

function numbers(report: PassReport) {
  return { orphanedFacts: report.orphanedFacts, newFacts: report.newFacts }
}

export type Follower = ReturnType<typeof createFollower>

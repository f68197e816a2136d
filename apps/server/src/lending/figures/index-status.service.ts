import { asBlock, type Block, getBlock } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { findMarket, type MarketCall } from '../core/index.ts'
import { asInstant } from '../oracle/index.rules.ts'
import type { LendingParts } from '../parts.ts'
import { summarizeSnapshots } from './history.store.ts'
import { type FollowedTo, readFollowedTo } from './index-status.store.ts'
import { contractsOf } from './transactions.rules.ts'

const STALE_AFTER_SECONDS = 300

const nothing = {
  available: true,
  indexed: false,
  reason: 'AWAITING_FIRST_SNAPSHOT' as const,
  snapshotCount: 0,
  lastSnapshotBlock: null,
  lastSnapshotAt: null,
  indexedBlock: null,
  indexedAt: null,
  hasIndexingErrors: null,
  lagSeconds: null,
  stale: null,
  staleThresholdSeconds: STALE_AFTER_SECONDS as 300,
}

/** The head of the chain, the block up to which everything is known, and the one the follower stands on: one round trip. */
async function readBlocks(chain: Chain, indexed: bigint, cursor: bigint) {
  const answers = await chain.rpc.batch([getBlock('latest'), getBlock(indexed), getBlock(cursor)])
  const [head = null, at = null, under = null] = answers.map(asBlock)
  return head ? { head, at, under } : null
}

/** How far behind the record is, in chain time. A block that the node does not have tells nothing. */
function lagOf(head: Block, at: Block | null) {
  if (!at) return { indexedAt: null, lagSeconds: null, stale: null }
  const lagSeconds = Math.max(head.time - at.time, 0)
  return { indexedAt: asInstant(at.time), lagSeconds, stale: lagSeconds > STALE_AFTER_SECONDS }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** How far our record of a market's events has come. */
export function createIndexStatus({ chains }: LendingParts) {
  async function compare(chain: Chain, { cursorBlock, cursorHash, scannedTo }: FollowedTo) {
    if (cursorBlock === null || scannedTo === null) return { fields: {}, block: undefined }
    const indexed = smaller(scannedTo, cursorBlock)
    const blocks = await chainOrNull(readBlocks(chain, indexed, cursorBlock))
    if (!blocks) return { fields: { indexedBlock: indexed.toString() }, block: undefined }
    const { head, at, under } = blocks
    // A node may lag behind the one that the follower asked: a block that it lacks is no contradiction.
    const hasIndexingErrors = under ? under.hash !== cursorHash : null
    return { fields: { indexedBlock: indexed.toString(), ...lagOf(head, at), hasIndexingErrors }, block: head }
  }

  return async function get(call: MarketCall, marketId: string) {
    const { tenant } = call
    const { market } = await findMarket(call, marketId)
    if (!market) return { data: { ...nothing, available: false, reason: 'NO_MARKET_ADDRESS' as const } }
    const { chainId, address } = market
    const [[summary], [followed]] = await Promise.all([
      tenant.read((sql) => summarizeSnapshots(sql, chainId, address)),
      tenant.read((sql) => readFollowedTo(sql, chainId, contractsOf(market))),
    ])
    const { fields, block } = followed ? await compare(chains.get(chainId), followed) : { fields: {}, block: undefined }
    const count = summary?.count ?? 0
    const data = {
      ...nothing,
      ...(count > 0 ? { indexed: true, reason: null } : {}),
      snapshotCount: count,
      lastSnapshotBlock: summary?.lastBlock?.toString() ?? null,
      lastSnapshotAt: summary?.lastTime ? asInstant(summary.lastTime) : null,
      ...fields,
    }
    return block ? { data, block } : { data }
  }
}

export type GetIndexStatus = ReturnType<typeof createIndexStatus>

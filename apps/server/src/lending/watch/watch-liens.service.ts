import { asBlock, type Block, getBlock } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { Clock } from '../../platform/clock.ts'
import { actAs, type Database, type Sql } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Random } from '../../platform/random.ts'
import { fireLienHooks } from './fire-hooks.ts'
import { readLienedWallets } from './lien.reads.ts'
import { judgeWallet, type LienVerdict } from './lien.rules.ts'
import * as store from './liens.store.ts'
import { grouped } from './lists.rules.ts'
import { moveTurn, readTurn } from './turns.store.ts'

export interface LienReport {
  readonly blockNumber: bigint
  readonly wallets: number
  readonly unread: number
  readonly opened: number
  readonly healed: number
}

interface Looked {
  readonly chainId: number
  readonly block: Block
  readonly adapters: readonly store.WatchedAdapter[]
  readonly verdicts: readonly LienVerdict[]
  readonly open: readonly store.OpenRow[]
  /** Open shortfalls whose block a reorg took away. */
  readonly uprooted: ReadonlySet<string>
}

const placeOf = ({ adapter, holder }: { adapter: string; holder: string }) => `${adapter} ${holder}`

/** Compares all liens of a chain with what its tokens say. Several workers may run it; one of them writes. */
export function createLienWatch(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  /** No pass sooner after the last one, whoever made it. */
  readonly pauseMs?: number
}) {
  const { database, clock, random, pauseMs = 0 } = parts

  /** The newest block, and which blocks of open shortfalls are no longer part of the chain. */
  async function findBlock(chain: Chain, open: readonly store.OpenRow[]) {
    const [head, ...others] = await chain.rpc.batch([
      getBlock('latest'),
      ...open.map(({ blockNumber }) => getBlock(blockNumber)),
    ])
    const block = asBlock(head)
    if (!block) throw new ChainUnavailableError('the node has no latest block')
    const uprooted = open.filter(({ blockHash }, index) => asBlock(others[index])?.hash !== blockHash)
    return { block, uprooted: new Set(uprooted.map(({ shortfallId }) => shortfallId)) }
  }

  async function write(sql: Sql, { chainId, block, adapters, verdicts, open, uprooted }: Looked): Promise<LienReport> {
    const now = clock.now()
    const at = { blockNumber: block.number, blockHash: block.hash, now }
    const knownAt = new Map(open.map((row) => [placeOf(row), row]))
    const judged = new Set(verdicts.map(placeOf))
    let opened = 0
    let healed = 0
    const close = async ({ shortfallId }: store.OpenRow) => {
      await store.closeShortfall(sql, shortfallId, uprooted.has(shortfallId), now)
      healed += 1
    }
    for (const verdict of verdicts) {
      const known = knownAt.get(placeOf(verdict))
      if (verdict.state === 'UNKNOWN') continue
      if (verdict.state === 'INTACT') {
        if (known) await close(known)
      } else if (known) {
        await store.keepShortfall(sql, known.shortfallId, verdict, uprooted.has(known.shortfallId) ? at : null)
      } else {
        await store.openShortfall(sql, chainId, newId(clock, random), verdict, at)
        opened += 1
      }
    }
    // Nothing is pledged there any more: repaid, seized, moved to another wallet, or the market itself is gone.
    for (const row of open) if (!judged.has(placeOf(row))) await close(row)
    await writeChecks(sql, chainId, block, adapters, verdicts, now)
    const unread = verdicts.filter(({ state }) => state === 'UNKNOWN').length
    return { blockNumber: block.number, wallets: verdicts.length, unread, opened, healed }
  }

  return {
    /** One look at one block. Null: it was another worker's turn. */
    async pass(chain: Chain): Promise<LienReport | null> {
      const { chainId } = chain
      const known = await database.as('tally_chain', async (sql) => ({
        turn: await readTurn(sql, chainId, 'LIENS'),
        adapters: [...(await store.listAdapters(sql, chainId))],
        pledges: [...(await store.listPledges(sql, chainId))],
        open: [...(await store.listOpen(sql, chainId))],
      }))
      const { turn, adapters, pledges, open } = known
      if (turn && clock.now().getTime() - turn.movedAt.getTime() < pauseMs) return null
      const { block, uprooted } = await findBlock(chain, open)
      const wallets = await readLienedWallets(chain, block, adapters, pledges)
      const verdicts = wallets.flatMap(judgeWallet)
      return database.as('tally_chain', async (sql) => {
        if (!(await moveTurn(sql, chainId, 'LIENS', turn, clock.now()))) return null
        const report = await write(sql, { chainId, block, adapters, verdicts, open, uprooted })
        if (report.opened > 0 || report.healed > 0) {
          await actAs(sql, 'tally_operator')
          await fireLienHooks(sql, chainId, { clock, random, block })
        }
        return report
      })
    },

    /** What every worker can tell of a chain, whoever looked last. */
    async state(chainId: number) {
      const [row] = await database.as('tally_chain', (sql) => store.readLienState(sql, chainId))
      return row ?? { open: 0, unread: 0, lastPass: null }
    },
  }
}

async function writeChecks(
  sql: Sql,
  chainId: number,
  block: Block,
  adapters: readonly store.WatchedAdapter[],
  verdicts: readonly LienVerdict[],
  checkedAt: Date,
): Promise<void> {
  const verdictsOf = grouped(verdicts, ({ adapter }) => adapter)
  for (const { adapter } of adapters) {
    const own = verdictsOf.get(adapter) ?? []
    await store.putLienCheck(sql, chainId, adapter, {
      blockNumber: block.number,
      blockTime: BigInt(block.time),
      checkedAt,
      wallets: own.length,
      unread: own.filter(({ state }) => state === 'UNKNOWN').length,
    })
  }
}

export type LienWatch = ReturnType<typeof createLienWatch>

import { asBlock, type Block, getBlock } from '../platform/chain/block.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import * as breaks from './breaks.store.ts'
import { judgeMarket, judgeVault, type Verdict } from './invariant.rules.ts'
import { readMarket, readVaults } from './market.reads.ts'
import * as subjects from './subjects.store.ts'

export interface MonitorReport {
  readonly blockNumber: bigint
  readonly held: number
  readonly broken: readonly Verdict[]
  /** Contracts that did not answer, or have more records than one look reads. */
  readonly unread: readonly string[]
}

export interface MonitorParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const keyOf = ({ contract, invariant }: { contract: string; invariant: string }) => `${contract} ${invariant}`

async function newestBlock(chain: Chain): Promise<Block> {
  const [head] = await chain.rpc.batch([getBlock('latest')])
  const block = asBlock(head)
  if (!block) throw new ChainUnavailableError('the node has no latest block')
  return block
}

/** Asks the contracts whether they keep what they promise, all of it at one block. Any number of workers may look. */
export function createMonitor({ database, clock, random, log }: MonitorParts) {
  async function look(chain: Chain, block: Block): Promise<{ verdicts: Verdict[]; unread: string[] }> {
    const { chainId } = chain
    const markets = await database.as('tally_chain', async (sql) => [...(await subjects.listMarkets(sql, chainId))])
    const balances = await database.as('tally_operator', async (sql) => [
      ...(await subjects.listVaultTokens(sql, chainId)),
    ])
    const [verdicts, unread]: [Verdict[], string[]] = [[], []]
    // One after the other: a look may take its time, requests may not wait for it.
    for (const subject of markets) {
      const figures = await readMarket(chain, block, subject)
      if (figures) verdicts.push(...judgeMarket(figures))
      else unread.push(subject.market)
    }
    const vaults = await readVaults(chain, block, balances)
    vaults.forEach((figures, index) => {
      if (figures) verdicts.push(judgeVault(figures))
      else unread.push(balances[index]?.vault ?? '')
    })
    return { verdicts, unread }
  }

  /** Breaks are opened once and healed once, whoever sees them; what could not be read stays as it was. */
  async function write(chainId: number, block: Block, verdicts: readonly Verdict[]): Promise<void> {
    const now = clock.now()
    await database.as('tally_chain', async (sql) => {
      const known = new Map((await breaks.listOpen(sql, chainId)).map((row) => [keyOf(row), row]))
      for (const verdict of verdicts) {
        const { contract, invariant, broken } = verdict
        const before = known.get(keyOf(verdict))
        if (broken !== null && !before) {
          const rows = await breaks.open(sql, chainId, { breakId: newId(clock, random), block, now }, verdict)
          if (rows.length > 0) log.error({ chainId, contract, invariant, detail: broken }, 'a contract broke a promise')
        }
        if (broken === null && before && (await breaks.heal(sql, before.breakId, now)).length > 0)
          log.warn({ chainId, contract, invariant }, 'a promise holds again')
      }
    })
  }

  return {
    async pass(chain: Chain): Promise<MonitorReport> {
      const block = await newestBlock(chain)
      const { verdicts, unread } = await look(chain, block)
      await write(chain.chainId, block, verdicts)
      const broken = verdicts.filter((verdict) => verdict.broken !== null)
      return { blockNumber: block.number, held: verdicts.length - broken.length, broken, unread }
    },
  }
}

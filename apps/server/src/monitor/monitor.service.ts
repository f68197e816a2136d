import type { Chain } from '../platform/chain/chain.ts'
import type { BlockPlace } from '../platform/chain/pinned.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { keyOf, type Suspicions, weigh } from './agreement.rules.ts'
import * as breaks from './breaks.store.ts'
import { judgeMarket, judgeVault, type Verdict } from './invariant.rules.ts'
import { inRoundTrips, readMarkets, readVaults } from './market.reads.ts'
import * as subjects from './subjects.store.ts'

export interface MonitorReport {
  readonly blockNumber: bigint
  readonly held: number
  /** What is known to be broken: two looks agreed on it. */
  readonly broken: readonly Broken[]
  /** Promises of which this look says other than what is known. The next look decides. */
  readonly suspected: number
  /** Suspicions of the look before that this one contradicted. */
  readonly dismissed: number
  /** Contracts that did not answer, or have more records than one look reads. */
  readonly unread: readonly string[]
}

type Broken = Pick<Verdict, 'contract' | 'invariant'>

export interface MonitorParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/**
 * The one before the newest: a node that shows a new block already may still be writing down what it changed, and then answers for it, and
 * for the newest, with something in between.
 */
async function settledBlock(chain: Chain): Promise<BlockPlace> {
  const newest = await chain.latest()
  return newest.number === 0n ? newest : { number: newest.number - 1n, hash: newest.parentHash }
}

/** Asks the contracts whether they keep what they promise, all of it at one block. Any number of workers may look. */
export function createMonitor({ database, clock, random, log }: MonitorParts) {
  /** By chain. Each worker has its own: it believes only what it saw itself. */
  const suspicions = new Map<number, Suspicions>()

  async function look(chain: Chain, block: BlockPlace): Promise<{ verdicts: Verdict[]; unread: string[] }> {
    const { chainId } = chain
    const markets = await database.as('tally_chain', async (sql) => [...(await subjects.listMarkets(sql, chainId))])
    const balances = await database.as('tally_operator', async (sql) => [
      ...(await subjects.listVaultTokens(sql, chainId)),
    ])
    const [verdicts, unread]: [Verdict[], string[]] = [[], []]
    // One round trip after the other: a look may take its time, requests may not wait for it.
    for (const some of inRoundTrips(markets)) {
      const found = await readMarkets(chain, block, some)
      some.forEach(({ market }, index) => {
        const figures = found[index]
        if (figures) verdicts.push(...judgeMarket(figures))
        else unread.push(market)
      })
    }
    const vaults = await readVaults(chain, block, balances)
    vaults.forEach((figures, index) => {
      if (figures) verdicts.push(judgeVault(figures))
      else unread.push(balances[index]?.vault ?? '')
    })
    return { verdicts, unread }
  }

  /** Breaks are opened once and healed once, whoever sees them; what could not be read stays as it was. */
  async function write(chainId: number, block: BlockPlace, verdicts: readonly Verdict[]) {
    const now = clock.now()
    const before = suspicions.get(chainId) ?? new Map<string, string>()
    const { open, weighed } = await database.as('tally_chain', async (sql) => {
      const open = new Map((await breaks.listOpen(sql, chainId)).map((row) => [keyOf(row), row]))
      const weighed = weigh(new Set(open.keys()), before, block.hash, verdicts)
      for (const verdict of weighed.changes) {
        const { contract, invariant, broken } = verdict
        const known = open.get(keyOf(verdict))
        if (known) {
          open.delete(keyOf(verdict))
          if ((await breaks.heal(sql, known.breakId, now)).length > 0)
            log.warn({ chainId, contract, invariant }, 'a promise holds again')
        } else {
          const breakId = newId(clock, random)
          open.set(keyOf(verdict), { breakId, contract, invariant })
          if ((await breaks.open(sql, chainId, { breakId, block, now }, verdict)).length > 0)
            log.error({ chainId, contract, invariant, detail: broken }, 'a contract broke a promise')
        }
      }
      return { open: [...open.values()], weighed }
    })
    suspicions.set(chainId, weighed.suspicions)
    return { open, dismissed: weighed.dismissed, suspected: weighed.suspicions.size }
  }

  return {
    async pass(chain: Chain): Promise<MonitorReport> {
      const block = await settledBlock(chain)
      const { verdicts, unread } = await look(chain, block)
      const { open, suspected, dismissed } = await write(chain.chainId, block, verdicts)
      const watched = new Set([...verdicts.map(({ contract }) => contract), ...unread])
      const broken = open.filter(({ contract }) => watched.has(contract))
      const doubtful = new Set([...broken.map(keyOf), ...(suspicions.get(chain.chainId)?.keys() ?? [])])
      const held = verdicts.filter((verdict) => !doubtful.has(keyOf(verdict))).length
      return { blockNumber: block.number, held, broken, suspected, dismissed, unread }
    },
  }
}

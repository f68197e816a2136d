import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Random } from '../platform/random.ts'
import { type AccountReading, readAccount, readBalances } from './account.reads.ts'
import { createBroadcast } from './broadcast.service.ts'
import { findPending } from './nonces.store.ts'
import { isDue, isStuck, judge, newestOf } from './outcome.rules.ts'
import { listRelayers, type RelayerRow } from './relayers.store.ts'
import type { RelayerKeys } from './signers.ts'
import { listOpenAccounts, listOpenRelays, type OpenAccount, type OpenRelay, recordOutcome } from './upkeep.store.ts'
import { createUpkeepSigning } from './upkeep-signing.service.ts'

export interface UpkeepParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly keys: RelayerKeys
  readonly confirmations: number
  /** How long a transaction may wait before it is replaced by one that pays more. */
  readonly stuckMs: number
}

/** What one look at an account of a relayer found. */
export interface AccountReport {
  readonly instanceId: string
  readonly pending: number
  readonly oldestPendingSeconds: number
  readonly balance: bigint
}

/** Of each account, so many of the lowest nonces in one look; the next ones when these are mined. */
const MOST_RELAYS = 50
/** Balances that a node is asked for in one round trip. */
const IDLE_AT_ONCE = 100

/** It was in a block that is gone, and nodes may not know it any more. */
const asUnsent = (relay: OpenRelay): OpenRelay => ({
  ...relay,
  attempts: relay.attempts.map((attempt) => ({ ...attempt, sentAt: null, takenAt: null })),
})

/**
 * Brings everything that relayers signed to an end: sends what is stored and not mined, uses up nonces that nobody signed for, replaces
 * what is stuck, and writes down what became of it. Several workers may do it at once.
 */
export function createUpkeep(parts: UpkeepParts) {
  const { database, clock, confirmations, stuckMs } = parts
  const broadcast = createBroadcast(parts)
  const signing = createUpkeepSigning({ ...parts, broadcast })

  async function settle(relays: readonly OpenRelay[], view: AccountReading): Promise<OpenRelay[]> {
    const open: OpenRelay[] = []
    for (const relay of relays) {
      const verdict = judge(relay, view)
      if (verdict.is === 'OPEN') open.push(relay)
      if (verdict.is === 'REOPENED') open.push(asUnsent(relay))
      if (verdict.is === 'OPEN' || verdict.is === 'UNCLEAR' || (verdict.is === 'MINED' && !verdict.isNews)) continue
      await database.as('tally_relayer', (sql) => recordOutcome(sql, relay, verdict, clock.now()))
    }
    return open
  }

  /** In the order of their nonces, as they are then. Null: no node could be asked, and the rest waits for the next turn. */
  async function sendAgain(chain: Chain, open: readonly OpenRelay[]): Promise<OpenRelay[] | null> {
    const after: OpenRelay[] = []
    for (const relay of open) {
      const newest = newestOf(relay)
      if (!isDue(newest, clock.now())) {
        after.push(relay)
        continue
      }
      const sent = await broadcast(chain, { ...newest, instanceId: relay.instanceId })
      if (!sent) return null
      const takenAt = newest.takenAt ?? (sent.refusedAs === null ? sent.sentAt : null)
      after.push({ ...relay, attempts: [...relay.attempts.slice(0, -1), { ...newest, ...sent, takenAt }] })
    }
    return after
  }

  async function attend(chain: Chain, account: OpenAccount, relayer: RelayerRow | undefined): Promise<AccountReport> {
    const relays = await database.as('tally_relayer', (sql) => listOpenRelays(sql, account, chain.chainId, MOST_RELAYS))
    const view = await readAccount(chain, account.address, relays, confirmations)
    const open = await sendAgain(chain, await settle(relays, view))
    if (relayer && open) {
      await signing.fillGaps(chain, relayer, view)
      const now = clock.now()
      const facts = { used: view.used, baseFee: view.prices.baseFee, stuckMs }
      for (const relay of open)
        if (isStuck(relay, newestOf(relay), now, facts)) await signing.replace(chain, relayer, relay, view)
    }
    const on = { chainId: BigInt(chain.chainId), address: account.address }
    const { pending, oldestAt } = await database.as('tally_relayer', (sql) => findPending(sql, on))
    const age = oldestAt ? (clock.now().getTime() - oldestAt.getTime()) / 1000 : 0
    return { instanceId: account.instanceId, pending, oldestPendingSeconds: Math.max(0, age), balance: view.balance }
  }

  type OnError = (error: unknown, instanceId: string) => void

  /** Nothing of theirs is open: what they have left is all there is to tell, and many are asked about in one round trip. */
  async function reportIdle(chain: Chain, idle: readonly RelayerRow[], onError: OnError): Promise<AccountReport[]> {
    const reports: AccountReport[] = []
    for (let from = 0; from < idle.length; from += IDLE_AT_ONCE) {
      const some = idle.slice(from, from + IDLE_AT_ONCE)
      const balances = await readBalances(
        chain,
        some.map(({ address }) => address),
      )
      some.forEach(({ instanceId }, index) => {
        const balance = balances[index] ?? null
        if (balance === null) onError(new ChainUnavailableError('the node did not tell the balance'), instanceId)
        else reports.push({ instanceId, pending: 0, oldestPendingSeconds: 0, balance })
      })
    }
    return reports
  }

  return {
    /** One look at every relayer of a chain. A fault with one of them is told, and keeps nobody else waiting. */
    async pass(chain: Chain, onError: OnError): Promise<AccountReport[]> {
      const [relayers, open] = await database.as('tally_relayer', async (sql) => [
        [...(await listRelayers(sql, chain.chainId))],
        [...(await listOpenAccounts(sql, chain.chainId))],
      ])
      const nameOf = ({ instanceId, address }: OpenAccount) => `${instanceId} ${address}`
      const byName = new Map(relayers.map((relayer) => [nameOf(relayer), relayer]))
      const busy = new Set(open.map(nameOf))
      const reports: AccountReport[] = []
      // Also those whose relayer is gone.
      for (const account of open) {
        try {
          const relayer = byName.get(nameOf(account))
          const report = await attend(chain, account, relayer)
          if (relayer) reports.push(report)
        } catch (error) {
          onError(error, account.instanceId)
        }
      }
      const idle = relayers.filter((relayer) => !busy.has(nameOf(relayer)))
      return [...reports, ...(await reportIdle(chain, idle, onError))]
    },
  }
}

export type Upkeep = ReturnType<typeof createUpkeep>

import type { Sql } from '../../platform/db/database.ts'
import * as store from './group-facts.store.ts'
import { findKeys } from './lane.store.ts'
import { nameOfKey } from './lane-facts.ts'
import type { FoundKey, KeyName } from './lane-rows.rules.ts'
import { type Balances, setBalance } from './money.rules.ts'
import { accountOf, type Party } from './party.rules.ts'

export type AccountFacts = store.AccountFacts
export type BookFacts = store.BookFacts

/** What a group of requests looks at in the rows of their instances. */
export interface Looks {
  readonly instanceId: string
  readonly holders: readonly string[]
  readonly clientOrderIds: readonly string[]
  /** Idempotency keys of orders that keep their answers by themselves. */
  readonly keys?: readonly KeyName[]
}

export interface GroupFacts {
  readonly books: ReadonlyMap<string, BookFacts>
  accountOf(party: Party): AccountFacts | undefined
  orderNamed(party: Party, clientOrderId: string): string | undefined
  readonly balances: Balances
  isRegistered(instanceId: string, tokenAddress: string): boolean
  /** How a request with this key ended, of those that were looked for. */
  keyFound(instanceId: string, asked: KeyName): FoundKey | undefined
}

/** One look per instance, whatever its requests look at. */
export function gather(looks: readonly Looks[]): Looks[] {
  const byInstance = new Map<string, { holders: Set<string>; ids: Set<string>; keys: KeyName[] }>()
  for (const { instanceId, holders, clientOrderIds, keys = [] } of looks) {
    const known = byInstance.get(instanceId) ?? { holders: new Set(), ids: new Set(), keys: [] }
    known.keys.push(...keys)
    for (const holder of holders) known.holders.add(holder)
    for (const id of clientOrderIds) known.ids.add(id)
    byInstance.set(instanceId, known)
  }
  return [...byInstance]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([instanceId, { holders, ids, keys }]) => ({
      instanceId,
      holders: [...holders],
      clientOrderIds: [...ids],
      keys,
    }))
}

/**
 * Sends all reads at once, each instance's under its own setting. Where a ledger backs the orders, its lane is held: its balances are also
 * moved by other units and by credits, and a lock per balance would have to foresee whom the orders will meet.
 */
export function askFacts(sql: Sql, looks: readonly Looks[], now: Date) {
  return Promise.all(
    looks.map(async (look) => {
      const { instanceId, keys = [] } = look
      const [, accounts, balances, tokens, used, ended] = await Promise.all([
        store.enterInstance(sql, instanceId).execute(),
        store.readAccounts(sql, look).execute(),
        store.readBalances(sql, look).execute(),
        store.readTokens(sql, instanceId).execute(),
        store.readUsedIds(sql, look).execute(),
        keys.length > 0 ? findKeys(sql, instanceId, keys, now).execute() : [],
      ] as const)
      return { instanceId, accounts, balances, tokens, used, ended }
    }),
  )
}

export function factsFrom(asked: Awaited<ReturnType<typeof askFacts>>, books: readonly BookFacts[]): GroupFacts {
  const accounts = new Map<string, AccountFacts>()
  const balances: Balances = new Map()
  const tokens = new Set<string>()
  const used = new Map<string, string>()
  const ended = new Map<string, FoundKey>()
  for (const { instanceId, ...rows } of asked) {
    const own = (holder: string) => accountOf({ instanceId, holder })
    for (const row of rows.accounts) accounts.set(own(row.holder), row)
    for (const { holder, tokenAddress, available } of rows.balances)
      setBalance(balances, own(holder), tokenAddress, available)
    for (const { tokenAddress } of rows.tokens) tokens.add(`${instanceId} ${tokenAddress}`)
    for (const row of rows.ended) ended.set(`${instanceId} ${nameOfKey(row)}`, row)
    for (const row of rows.used) used.set(`${own(row.holder)}\n${row.clientOrderId}`, row.orderId)
  }
  return {
    books: new Map(books.map((book) => [book.bookId, book])),
    accountOf: (party) => accounts.get(accountOf(party)),
    orderNamed: (party, id) => used.get(`${accountOf(party)}\n${id}`),
    balances,
    isRegistered: (instanceId, tokenAddress) => tokens.has(`${instanceId} ${tokenAddress}`),
    keyFound: (instanceId, asked) => ended.get(`${instanceId} ${nameOfKey(asked)}`),
  }
}

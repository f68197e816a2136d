import { type Amount, type EngineEvent, minus, plus, type Trade } from '@tallystick/engine'
import { accountOf, type Party, partyOf } from './party.rules.ts'

export interface BalanceChange extends Party {
  readonly tokenAddress: string
  available: Amount
  reserved: Amount
}

type Amounts = Pick<BalanceChange, 'available' | 'reserved'>

/** What backs the orders of a unit. */
export interface Money {
  /** Whether the token is kept here for the party. */
  keeps(party: Party, tokenAddress: string): boolean
  /** What the party can still reserve, after all earlier turns; undefined: the token is not kept here. */
  available(party: Party, tokenAddress: string): Amount | undefined
  take(events: readonly EngineEvent[]): void
}

export interface Tokens {
  readonly base: string
  readonly quote: string
}

export const FEES = 'fees'

/** What accounts have, by account and then by token: one text of both would be made for every look. */
export type Balances = Map<string, Map<string, Amount>>
type KnownBalances = ReadonlyMap<string, ReadonlyMap<string, Amount>>

export function setBalance(balances: Balances, account: string, tokenAddress: string, amount: Amount): void {
  const own = balances.get(account)
  if (own) own.set(tokenAddress, amount)
  else balances.set(account, new Map([[tokenAddress, amount]]))
}

/** The ledger's side of a group: balances as they will be. */
export function createLedgerMoney(
  tokensOf: (bookId: string) => Tokens,
  loaded: KnownBalances,
  isRegistered: (instanceId: string, tokenAddress: string) => boolean,
) {
  const changes: BalanceChange[] = []
  const byAccount = new Map<string, Map<string, BalanceChange>>()

  function changeOf(account: string, tokenAddress: string): BalanceChange {
    let own = byAccount.get(account)
    if (!own) {
      own = new Map()
      byAccount.set(account, own)
    }
    let change = own.get(tokenAddress)
    if (!change) {
      const { instanceId, holder } = partyOf(account)
      change = { instanceId, holder, tokenAddress, available: 0, reserved: 0 }
      own.set(tokenAddress, change)
      changes.push(change)
    }
    return change
  }

  function change(account: string, tokenAddress: string, { available = 0, reserved = 0 }: Partial<Amounts>): void {
    const row = changeOf(account, tokenAddress)
    row.available = plus(row.available, available)
    row.reserved = plus(row.reserved, reserved)
  }

  function settle(event: Trade): void {
    const { makerAccount, takerAccount } = event
    const [buying, selling] = event.side === 'BUY' ? [takerAccount, makerAccount] : [makerAccount, takerAccount]
    const { base, quote } = tokensOf(event.book)
    change(selling, base, { reserved: minus(0, event.quantity) })
    change(buying, base, { available: event.quantity })
    change(buying, quote, { reserved: minus(0, event.buyerPays) })
    change(selling, quote, { available: event.sellerGets })
    const available = minus(event.buyerPays, event.sellerGets)
    if (available !== 0)
      change(accountOf({ instanceId: partyOf(buying).instanceId, holder: FEES }), quote, { available })
  }

  function take(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.kind === 'trade') settle(event)
      if (event.kind !== 'accepted' && event.kind !== 'orderChanged') continue
      const { base, quote } = tokensOf(event.book)
      const added = event.kind === 'accepted' ? event.reserved : minus(event.added, event.released)
      if (added !== 0)
        change(event.account, event.side === 'SELL' ? base : quote, {
          available: minus(0, added),
          reserved: added,
        })
    }
  }

  return {
    changes,
    take,
    /** The balance has a row already. Of others it is not known. */
    isStored: (change: BalanceChange): boolean => loaded.get(accountOf(change))?.has(change.tokenAddress) ?? false,
    keeps: (party: Party, tokenAddress: string): boolean => isRegistered(party.instanceId, tokenAddress),
    available(party: Party, tokenAddress: string): Amount | undefined {
      if (!isRegistered(party.instanceId, tokenAddress)) return undefined
      const account = accountOf(party)
      return plus(
        loaded.get(account)?.get(tokenAddress) ?? 0,
        byAccount.get(account)?.get(tokenAddress)?.available ?? 0,
      )
    },
  }
}

export type LedgerMoney = ReturnType<typeof createLedgerMoney>

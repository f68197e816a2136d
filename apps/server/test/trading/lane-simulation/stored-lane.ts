import { createEngine, type Engine, emptyHead, type Head, replay } from '@tallystick/engine'
import type { Clock } from '../../../src/platform/clock.ts'
import type { Random } from '../../../src/platform/random.ts'
import { fundsOf, performGroup, type UnitRequest } from '../../../src/trading/unit/group.ts'
import type { BookFacts, GroupFacts } from '../../../src/trading/unit/group-facts.ts'
import { HERE_FOR_MS, LEASE_MS, type Owner } from '../../../src/trading/unit/lane.store.ts'
import { nameOfId, nameOfKey } from '../../../src/trading/unit/lane-facts.ts'
import type { LaneHead, LaneJournal, OwnedLane } from '../../../src/trading/unit/lane-journal.ts'
import { keepingKey } from '../../../src/trading/unit/lane-keys.ts'
import type { FoundKey, KeptKey, LaneGroup } from '../../../src/trading/unit/lane-rows.rules.ts'
import { type Balances, setBalance } from '../../../src/trading/unit/money.rules.ts'
import { accountOf } from '../../../src/trading/unit/party.rules.ts'
import type { StoredEntry, UnitHead } from '../../../src/trading/unit/unit.store.ts'
import type { OrderRow } from '../../../src/trading/unit/unit-rows.rules.ts'

/** What a careless database would do. Each has to be found. */
export type PlantedFault = 'no epoch check' | 'epoch stays when entered' | 'answer before commit' | 'position apart'

export interface StoredUnit {
  readonly book: BookFacts
  version: bigint
  readonly entries: StoredEntry[]
}

interface StoredBalance {
  available: bigint
  reserved: bigint
}

export interface LaneAccount {
  readonly accountId: string
  readonly holder: string
}

/** A row that is not where it has to be: the database would take the whole transaction back. */
export class RowsRefused extends Error {}

/**
 * One lane as the database holds it, in memory: what the functions of the migration do, each at one moment. Rows are what readers see;
 * groups are rows once they are projected.
 */
export function createStoredLane(
  laneId: string,
  units: ReadonlyMap<string, StoredUnit>,
  accounts: readonly LaneAccount[],
  now: () => number,
  planted?: PlantedFault,
) {
  const lane = { epoch: 0n, sequence: 0n, owner: null as Owner | null, leaseUntil: -1 }
  const servers = new Map<string, { readonly url: string; readonly hereUntil: number }>()
  const groups: (LaneGroup & { readonly epoch: bigint })[] = []
  let projected = 0n
  /** How often an owner gave the lane up. */
  let left = 0
  let heldUntil = 0
  const balances = new Map<string, StoredBalance>()
  const orders = new Map<string, OrderRow>()
  const usedIds = new Map<string, string>()
  const keys = new Map<string, KeptKey>()
  /** What came from outside, less what went there, by holder and token. */
  const credited = new Map<string, bigint>()
  const tokens = [...new Set([...units.values()].flatMap(({ book }) => [book.tokenAddress, book.quoteTokenAddress]))]

  const unitOf = (unitId: string): StoredUnit => {
    const unit = units.get(unitId)
    if (!unit) throw new Error(`there is no unit ${unitId}`)
    return unit
  }
  const headOf = (unitId: string): UnitHead => {
    const { version, entries } = unitOf(unitId)
    return { version, sequence: BigInt(entries.length), headHash: entries.at(-1)?.hash ?? emptyHead(unitId).hash }
  }

  function move(holder: string, tokenAddress: string, by: { available: bigint; reserved: bigint }): void {
    const name = nameOfId(holder, tokenAddress)
    const balance = balances.get(name) ?? { available: 0n, reserved: 0n }
    const moved = { available: balance.available + by.available, reserved: balance.reserved + by.reserved }
    if (moved.available < 0n || moved.reserved < 0n) throw new RowsRefused(`${holder} would have less than nothing`)
    balances.set(name, moved)
  }

  function writeRows(group: Omit<LaneGroup, 'laneId' | 'sequence' | 'groupId'>): void {
    const { unit } = group
    if (unit) {
      const stored = unitOf(unit.unitId)
      if (stored.version !== unit.version - 1n) throw new RowsRefused(`a group does not follow its unit`)
      stored.version = unit.version
      stored.entries.push(...group.entries)
    }
    for (const order of group.orders) {
      if (orders.has(order.orderId)) throw new RowsRefused('an order is there already')
      orders.set(order.orderId, { ...order })
    }
    for (const change of group.changes) {
      const order = orders.get(change.orderId)
      if (!order || !['OPEN', 'PARTIALLY_FILLED'].includes(order.status))
        throw new RowsRefused('an order that changed is not there')
      order.price = change.price
      order.quantity = change.quantity
      order.filled = Number(order.filled) + Number(change.filled)
      order.status = change.status
    }
    for (const { holder, tokenAddress, available, reserved } of group.balances)
      move(holder, tokenAddress, { available: BigInt(available), reserved: BigInt(reserved) })
    const holders = new Map(group.orders.map(({ orderId, holder }) => [orderId, holder]))
    for (const { orderId, clientOrderId } of group.usedIds)
      usedIds.set(nameOfId(holders.get(orderId), clientOrderId), orderId)
    for (const key of group.keys) keys.set(nameOfKey(key), key)
  }

  function project(most: number): bigint {
    const next = groups.filter(({ sequence }) => sequence > projected).slice(0, most)
    for (const group of next) {
      writeRows(group)
      if (planted !== 'position apart') projected = group.sequence
    }
    return planted === 'position apart' ? (next.at(-1)?.sequence ?? projected) : projected
  }

  const hold = () => project(Number.MAX_SAFE_INTEGER)

  function enter(): void {
    hold()
    if (planted !== 'epoch stays when entered') lane.epoch += 1n
  }

  function factsOf(unitId: string): GroupFacts {
    const known: Balances = new Map()
    for (const { holder } of accounts)
      for (const token of tokens)
        setBalance(
          known,
          accountOf({ instanceId: laneId, holder }),
          token,
          Number(balances.get(nameOfId(holder, token))?.available ?? 0n),
        )
    const { book } = unitOf(unitId)
    return {
      books: new Map([[book.bookId, book]]),
      accountOf: ({ holder }) => accountFacts(holder),
      orderNamed: ({ holder }, id) => usedIds.get(nameOfId(holder, id)),
      balances: known,
      isRegistered: (_instanceId, token) => tokens.includes(token),
      keyFound: () => undefined,
    }
  }

  /** What transactions match on, as far as they have read. */
  const engines = new Map<string, { engine: Engine; head: Head }>()

  const accountFacts = (holder: string) => {
    const account = accounts.find((one) => one.holder === holder)
    return account && { ...account, isMarketMaker: false, permittedBooks: null, status: 'ACTIVE' as const }
  }

  /** False: somebody else has it. */
  function claim(me: Owner): boolean {
    if (lane.owner?.name !== me.name && lane.leaseUntil > now()) return false
    hold()
    if (lane.owner?.name !== me.name) lane.epoch += 1n
    lane.owner = me
    lane.leaseUntil = now() + LEASE_MS
    return true
  }

  return {
    laneId,
    accounts,
    lane,
    groups,
    balances,
    credited,
    orders,
    usedIds,
    units,
    tokens,
    enter,
    project,
    projected: () => projected,
    /** For the fault that moves the position in another transaction. */
    movePosition(position: bigint): void {
      if (position > projected) projected = position
    },

    /** Somebody else's transaction has the lane until then. */
    heldUntil: () => heldUntil,
    holdFor(milliseconds: number): void {
      heldUntil = now() + milliseconds
    },

    claim,

    /** Whoever has it gives it up. */
    leave(name: string): void {
      if (lane.owner?.name !== name) return
      lane.leaseUntil = now()
      left += 1
    },
    left: () => left,

    quit: (name: string): void => void servers.delete(name),

    meet({ name, url }: Owner): string[] {
      const others = [...servers].filter(([other, { hereUntil }]) => other !== name && hereUntil > now())
      if (url !== undefined) servers.set(name, { url, hereUntil: now() + HERE_FOR_MS })
      return [...new Set(others.map(([, server]) => server.url))]
    },

    own(
      me: Owner,
      unitId: string,
      holders: readonly string[],
    ): (Omit<OwnedLane, 'version'> & { head: UnitHead }) | undefined {
      if (!claim(me)) return undefined
      return {
        laneId,
        epoch: lane.epoch,
        sequence: lane.sequence,
        head: headOf(unitId),
        books: [unitOf(unitId).book],
        accounts: holders.flatMap((holder) => accountFacts(holder) ?? []),
        balances: holders.flatMap((holder) =>
          tokens.flatMap((tokenAddress) => {
            const found = balances.get(nameOfId(holder, tokenAddress))
            return found ? [{ holder, tokenAddress, available: found.available }] : []
          }),
        ),
        tokens,
      }
    },

    owner: () =>
      lane.owner !== null && lane.leaseUntil > now()
        ? { name: lane.owner.name, url: lane.owner.url ?? null, leaseMs: lane.leaseUntil - now() }
        : undefined,

    commit(epoch: bigint, group: LaneGroup): Awaited<ReturnType<LaneJournal['commit']>> {
      // It waits for nobody.
      if (heldUntil > now() || lane.sequence !== group.sequence - 1n) return 'MOVED'
      if (lane.epoch !== epoch && planted !== 'no epoch check') return 'MOVED'
      lane.sequence = group.sequence
      lane.leaseUntil = now() + LEASE_MS
      groups.push({ ...group, epoch })
      return 'COMMITTED'
    },

    wasCommitted({ sequence, groupId }: LaneGroup): boolean {
      enter()
      return groups.find((group) => group.sequence === sequence)?.groupId === groupId
    },

    holds: ({ epoch, sequence }: LaneHead): boolean => lane.epoch === epoch && lane.sequence === sequence,

    findKeys: (asked: readonly { operation: string; key: string }[]): FoundKey[] =>
      asked.flatMap((one) => keys.get(nameOfKey(one)) ?? []),

    /** Beside the journal: credits and debits. False: there is too little. */
    moveAside(holder: string, tokenAddress: string, amount: bigint): boolean {
      hold()
      // Taken back, and its epoch with it.
      if ((balances.get(nameOfId(holder, tokenAddress))?.available ?? 0n) + amount < 0n) return false
      enter()
      move(holder, tokenAddress, { available: amount, reserved: 0n })
      const name = nameOfId(holder, tokenAddress)
      credited.set(name, (credited.get(name) ?? 0n) + amount)
      return true
    },

    /** An order in a transaction, as whoever does not have the lane places it. */
    transact(unitId: string, request: UnitRequest<unknown>, parts: { clock: Clock; random: Random }) {
      enter()
      const used = request.once && keys.get(nameOfKey(request.once))
      if (used) return { used }
      const stored = unitOf(unitId)
      const { engine, head: seen } = engines.get(unitId) ?? { engine: createEngine(), head: emptyHead(unitId) }
      // Worth nothing any more if what follows is refused.
      engines.delete(unitId)
      const head = replay(engine, seen, stored.entries.slice(seen.number))
      const facts = factsOf(unitId)
      const kept = new Map<string, KeptKey>()
      const { work, outcomes } = performGroup(
        { engine, head, version: stored.version, isCommitted: true },
        facts,
        fundsOf(facts, undefined, []),
        [keepingKey(request, kept)],
        new Set(),
        parts,
      )
      if (work.funds.kind !== 'ledger') throw new Error('a lane has a ledger')
      const { fold, at, entries, state } = work
      writeRows({
        unit: entries.length > 0 ? { unitId, version: stored.version + 1n, headHash: state.head.hash } : null,
        at,
        entries,
        orders: [...fold.orders.values()],
        changes: [...fold.changes.values()],
        trades: [],
        days: [],
        balances: work.funds.money.changes,
        usedIds: fold.clientOrderIds,
        keys: [...kept.values()],
      })
      engines.set(unitId, { engine, head: state.head })
      return { outcome: outcomes[0] }
    },
  }
}

export type StoredLane = ReturnType<typeof createStoredLane>

import { plus } from '@tallystick/engine'
import type { AccountFacts, BookFacts, GroupFacts, Looks } from './group-facts.ts'
import type { KeptKey, LaneGroup } from './lane-rows.rules.ts'
import { type Balances, setBalance } from './money.rules.ts'
import { accountOf } from './party.rules.ts'
import type { UnitMemory } from './unit-memory.ts'

/** What the owner of a lane knows of its instance. All of it is as committed. */
export interface LaneFacts {
  readonly tokens: Set<string>
  /** By holder; null: the holder has none. */
  readonly accounts: Map<string, AccountFacts | null>
  readonly balances: Balances
  /** By unit; one that is missing was not read since others last moved the lane. */
  readonly units: Map<string, UnitFacts>
  /** Ids that orders of this owner used, by holder and id: their rows may not be there yet. Oldest first. */
  readonly usedIds: Map<string, InGroup<string>>
  /** The same of idempotency keys. */
  readonly keys: Map<string, InGroup<KeptKey>>
}

/** What a group brought. */
interface InGroup<T> {
  readonly value: T
  readonly sequence: bigint
}

interface UnitFacts {
  readonly books: ReadonlyMap<string, BookFacts>
  /** Where the memory of the unit has to be: it may have been read anew from rows that do not show everything yet. */
  version: bigint
}

export interface LaneUnit {
  readonly unitId: string
  readonly memory: UnitMemory
}

/** Ids that are remembered beyond those whose rows are still to come. */
const REMEMBERED_IDS = 100_000
/** The same of idempotency keys, which are kept with whole answers. */
const REMEMBERED_KEYS = 5_000

export const emptyFacts = (): LaneFacts => ({
  tokens: new Set(),
  accounts: new Map(),
  balances: new Map(),
  units: new Map(),
  usedIds: new Map(),
  keys: new Map(),
})

export const nameOfId = (holder: string | undefined, clientOrderId: string): string => `${holder}\n${clientOrderId}`

export const nameOfKey = ({ operation, key }: { readonly operation: string; readonly key: string }): string =>
  `${operation} ${key}`

/** Enough for a group: its unit where it was left, and everybody that it looks at. */
export const coversGroup = (facts: LaneFacts, { unitId, memory }: LaneUnit, looks: readonly Looks[]): boolean =>
  memory.state?.isCommitted === true &&
  memory.state.version === facts.units.get(unitId)?.version &&
  looks.every(({ holders }) => holders.every((holder) => facts.accounts.has(holder)))

/** `used` are ids whose rows were found. */
export const factsOfGroup = (
  laneId: string,
  facts: LaneFacts,
  unitId: string,
  used: ReadonlyMap<string, string>,
): GroupFacts => ({
  books: facts.units.get(unitId)?.books ?? new Map(),
  accountOf: ({ instanceId, holder }) =>
    instanceId === laneId ? (facts.accounts.get(holder) ?? undefined) : undefined,
  orderNamed: ({ holder }, id) => facts.usedIds.get(nameOfId(holder, id))?.value ?? used.get(nameOfId(holder, id)),
  balances: facts.balances,
  isRegistered: (instanceId, tokenAddress) => instanceId === laneId && facts.tokens.has(tokenAddress),
  // Those of a lane are looked for before its group is performed.
  keyFound: () => undefined,
})

/** Beyond so many, those are forgotten whose rows are there. */
function forgetOldest(remembered: Map<string, InGroup<unknown>>, most: number, projected: bigint): void {
  for (const [name, { sequence }] of remembered) {
    if (remembered.size <= most || sequence > projected) return
    remembered.delete(name)
  }
}

/** After the commit: what the group did is what everybody knows. `projected`: groups up to this one are rows. */
export function remember(facts: LaneFacts, group: LaneGroup, projected: bigint): void {
  const unit = group.unit && facts.units.get(group.unit.unitId)
  if (unit && group.unit) unit.version = group.unit.version
  for (const { holder, tokenAddress, available } of group.balances) {
    // Of whoever was not read yet, the row will say it.
    if (!facts.accounts.has(holder)) continue
    const account = accountOf({ instanceId: group.laneId, holder })
    setBalance(
      facts.balances,
      account,
      tokenAddress,
      plus(facts.balances.get(account)?.get(tokenAddress) ?? 0, available),
    )
  }
  forgetOldest(facts.usedIds, REMEMBERED_IDS, projected)
  forgetOldest(facts.keys, REMEMBERED_KEYS, projected)
  const { sequence } = group
  const holders = new Map(group.orders.map(({ orderId, holder }) => [orderId, holder]))
  for (const { clientOrderId, orderId } of group.usedIds)
    facts.usedIds.set(nameOfId(holders.get(orderId), clientOrderId), { value: orderId, sequence })
  for (const kept of group.keys) facts.keys.set(nameOfKey(kept), { value: kept, sequence })
}

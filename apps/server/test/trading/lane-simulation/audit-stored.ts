import { createEngine, type EngineEvent, emptyHead, readEntry, replay } from '@tallystick/engine'
import { nameOfId } from '../../../src/trading/unit/lane-facts.ts'
import { createLedgerMoney } from '../../../src/trading/unit/money.rules.ts'
import { accountOf } from '../../../src/trading/unit/party.rules.ts'
import type { StoredLane } from './stored-lane.ts'

/** What is wrong with the journal of a lane and its rows; nothing, one hopes. */
export function auditStored({
  laneId,
  lane,
  groups,
  projected,
  units,
  orders,
  balances,
  credited,
}: StoredLane): string[] {
  const faults: string[] = []
  groups.forEach(({ sequence }, index) => {
    if (sequence !== BigInt(index + 1)) faults.push(`group ${index + 1} has the number ${sequence}`)
  })
  groups.forEach(({ epoch }, index) => {
    if (epoch < (groups[index - 1]?.epoch ?? 0n)) faults.push(`the epoch falls at group ${index + 1}`)
  })
  if (lane.sequence !== BigInt(groups.length)) faults.push(`the lane is at ${lane.sequence} of ${groups.length} groups`)
  if (projected() !== lane.sequence) faults.push(`rows of groups are missing after ${projected()} of ${lane.sequence}`)

  // What the journals of the units come to, told by nobody but the engine.
  const expected = new Map(credited)
  const reserved = new Map<string, bigint>()
  const add = (to: Map<string, bigint>, name: string, amount: bigint) => to.set(name, (to.get(name) ?? 0n) + amount)
  const placed = new Set<string>()
  for (const [unitId, { book, entries }] of units) {
    const engine = createEngine()
    try {
      replay(engine, emptyHead(unitId), entries)
    } catch (error) {
      faults.push(`the journal of unit ${unitId} is broken: ${(error as Error).message}`)
      continue
    }
    const tokens = { base: book.tokenAddress, quote: book.quoteTokenAddress, quoteDecimals: book.quoteDecimals }
    const money = createLedgerMoney(
      () => tokens,
      new Map(),
      () => true,
    )
    for (const entry of entries) {
      const events = readEntry(entry).events as readonly EngineEvent[]
      money.take(events)
      for (const event of events) if (event.kind === 'accepted') placed.add(event.order)
    }
    for (const { holder, tokenAddress, available, reserved: more } of money.changes) {
      add(expected, nameOfId(holder, tokenAddress), BigInt(available))
      add(reserved, nameOfId(holder, tokenAddress), BigInt(more))
    }
    for (const order of orders.values()) {
      if (order.bookId !== book.bookId) continue
      const isOpen = order.status === 'OPEN' || order.status === 'PARTIALLY_FILLED'
      const view = engine.order(order.orderId)
      if (isOpen !== (view !== null)) faults.push(`order ${order.orderId} is ${order.status} by its row only`)
      if (!placed.has(order.orderId)) faults.push(`order ${order.orderId} is in no journal`)
    }
  }
  for (const id of placed) if (!orders.has(id)) faults.push(`order ${id} has no row`)
  for (const name of new Set([...expected.keys(), ...balances.keys()])) {
    const row = balances.get(name) ?? { available: 0n, reserved: 0n }
    if (row.available !== (expected.get(name) ?? 0n) || row.reserved !== (reserved.get(name) ?? 0n))
      faults.push(`the balance of ${accountOf({ instanceId: laneId, holder: name })} is not what the journals say`)
    if (row.available < 0n || row.reserved < 0n) faults.push(`a balance of ${name} is below zero`)
  }
  return faults
}

import type { Amount } from '../amounts.ts'
import type { Amend, Place } from '../commands.ts'
import type { Unit } from '../unit/unit.ts'
import { amendment } from './amend.ts'
import { draftOrder } from './place.ts'

export interface Reservation {
  readonly asset: 'BASE' | 'QUOTE'
  readonly amount: Amount
}

/**
 * What a command needs reserved if it is done next: base for a sell; for a buy the notional and the largest fee; for a
 * market buy what the depth would cost, which belongs into its `budget` when other commands may come before it. Null
 * where nothing is needed: it would be refused, or frees something.
 */
export function reservationFor(unit: Unit, command: Place | Amend): Reservation | null {
  const needed = command.kind === 'place' ? neededToPlace(unit, command) : neededToAmend(unit, command)
  return needed !== null && needed.amount > 0 ? needed : null
}

const assetOf = (side: Place['side']) => (side === 'SELL' ? 'BASE' : 'QUOTE')

function neededToPlace(unit: Unit, command: Place): Reservation | null {
  const order = draftOrder(unit, command)
  if ('code' in order) return null
  unit.spare.push(order)
  return { asset: assetOf(order.side), amount: order.reserved }
}

function neededToAmend(unit: Unit, command: Amend): Reservation | null {
  const found = amendment(unit, command)
  return 'code' in found ? null : { asset: assetOf(found.order.side), amount: found.change }
}

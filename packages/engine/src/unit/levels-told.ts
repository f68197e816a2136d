import { type Level, tidy } from './ladder.ts'
import { tell, type Unit } from './unit.ts'

export function touch(unit: Unit, level: Level): void {
  if (level.isTouched) return
  level.isTouched = true
  unit.touched[unit.touchedCount++] = level
}

/** At the end of a command: says what each level shows now, if that differs, and forgets empty ones. */
export function tellLevels(unit: Unit): void {
  const { touched, touchedCount } = unit
  for (let index = 0; index < touchedCount; index += 1) {
    const level = touched[index]
    if (level) tellLevel(unit, level)
  }
  for (let index = 0; index < touchedCount; index += 1) {
    const level = touched[index]
    if (level && level.first === null) tidy(level.rows)
  }
  unit.touchedCount = 0
}

function tellLevel(unit: Unit, level: Level): void {
  level.isTouched = false
  const { rows, price, quantity, orders } = level
  if (quantity === level.shownQuantity && orders === level.shownOrders) return
  level.shownQuantity = quantity
  level.shownOrders = orders
  tell(unit, { kind: 'level', ladder: rows.ladder, side: rows.side, price, quantity, orders })
}

import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import type { Order } from './order.ts'
import { hashOf, OrderTable } from './order-table.ts'

describe('the table of orders', () => {
  it('finds what a map finds, also among ids that collide', () => {
    const random = seededRandom(9)
    const table = new OrderTable()
    const map = new Map<string, Order>()
    // Only the last characters are hashed: these collide in masses.
    const drawn = () => `${random.integer(0, 300)}-${random.chance(0.3) ? 'always the same end' : random.integer(0, 5)}`
    for (let round = 0; round < 30_000; round += 1) {
      const id = drawn()
      const known = map.get(id) ?? null
      expect(table.find(id)).toBe(known)
      if (known && random.chance(0.6)) {
        table.remove(known)
        map.delete(id)
      } else if (!known) {
        const order = { id, hash: hashOf(id) } as Order
        table.add(order)
        map.set(id, order)
      }
    }
    expect(new Set(table.all())).toEqual(new Set(map.values()))
  })
})

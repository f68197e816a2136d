import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { createScenario } from '../../test/scenario.ts'

describe('a ladder of many prices', () => {
  it('stays sorted while levels come, empty and come again', () => {
    const random = seededRandom(5)
    const { buy, cancel, engine } = createScenario()
    const live = new Map<string, number>()
    for (let number = 1; number <= 4000; number += 1) {
      if (live.size > 150 || (live.size > 0 && random.chance(0.45))) {
        const order = random.pick([...live.keys()])
        cancel(order)
        live.delete(order)
        continue
      }
      const price = random.integer(1, 600)
      const [accepted] = buy(1, price)
      if (accepted?.kind === 'accepted') live.set(accepted.order, price)
    }
    const prices = [...new Set(live.values())].sort((a, b) => b - a)
    const depth = engine.depth('book', Number.POSITIVE_INFINITY)
    expect(depth?.bids.map(({ price }) => Number(price) / 1e6)).toEqual(prices)
    expect(depth?.bids.reduce((total, { orders }) => total + orders, 0)).toBe(live.size)
    expect(engine.depth('none', 1)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { pricesBetween } from './price-history.ts'

const DAY = 86_400n

describe('the prices of the past', () => {
  const [first, last] = [1_790_000_000n, 1_790_000_000n + 28n * DAY]
  const points = pricesBetween(first, last)

  it('are more than two hundred in four weeks, each newer than the one before, the last of now', () => {
    expect(points.length).toBe(224)
    expect(points.every(({ timestamp }, index) => timestamp > (points[index - 1]?.timestamp ?? first))).toBe(true)
    expect(points.at(-1)?.timestamp).toBe(last)
  })

  it('wander, in steps that an oracle takes, and end at the price of birth', () => {
    const prices = points.map(({ price }) => Number(price) / 1_000_000)
    expect(prices.at(-1)).toBe(100)
    expect(Math.max(...prices) - Math.min(...prices)).toBeGreaterThan(15)
    expect(prices.every((price) => price > 80 && price < 120)).toBe(true)
  })
})

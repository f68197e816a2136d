import { expect, it } from 'vitest'
import { type Suspicions, weigh } from './agreement.rules.ts'
import type { Verdict } from './invariant.rules.ts'

const cash: Verdict = { contract: '0xm', invariant: 'cash-covered', broken: '1 held, 2 booked' }
const whole: Verdict = { ...cash, broken: null }
const nothing: Suspicions = new Map()
const open = new Set(['0xm cash-covered'])
const shut = new Set<string>()

it('believes a break, and its end, when two looks at two different blocks agree', () => {
  for (const [known, verdict] of [
    [shut, cash],
    [open, whole],
  ] as const) {
    const first = weigh(known, nothing, '0xa', [verdict])
    expect(first).toEqual({ changes: [], suspicions: new Map([['0xm cash-covered', '0xa']]), dismissed: 0 })
    expect(weigh(known, first.suspicions, '0xb', [verdict])).toEqual({
      changes: [verdict],
      suspicions: nothing,
      dismissed: 0,
    })
  }
})

it('does not take the same block for a second opinion, nor a look that could not see', () => {
  const { suspicions } = weigh(shut, nothing, '0xa', [cash])
  expect(weigh(shut, suspicions, '0xa', [cash])).toEqual({ changes: [], suspicions, dismissed: 0 })
  expect(weigh(shut, suspicions, '0xb', [])).toEqual({ changes: [], suspicions, dismissed: 0 })
})

it('drops a suspicion that the next look contradicts', () => {
  const { suspicions } = weigh(shut, nothing, '0xa', [cash])
  expect(weigh(shut, suspicions, '0xb', [whole])).toEqual({ changes: [], suspicions: nothing, dismissed: 1 })
})

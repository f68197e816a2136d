import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createGathering } from './gathering.ts'

/** Groups that end when the test says so. */
function gathering(bounds = { most: 3, atOnce: 1 }) {
  const groups: { readonly requests: readonly number[]; end(): void; fail(error: Error): void }[] = []
  const gather = createGathering<number, string>(
    bounds,
    (requests) =>
      new Promise((resolve, reject) => {
        const outcomes = requests.map(
          (request): PromiseSettledResult<string> =>
            request < 0
              ? { status: 'rejected', reason: `no ${request}` }
              : { status: 'fulfilled', value: `did ${request}` },
        )
        groups.push({ requests, end: () => resolve(outcomes), fail: reject })
      }),
  )
  const seen = () => groups.map(({ requests }) => requests)
  return { gather, groups, seen }
}

describe('requests that are gathered', () => {
  test('go at once while nobody else is under way', async () => {
    const { gather, groups, seen } = gathering()
    const alone = gather('line', 1)
    expect(seen()).toEqual([[1]])
    groups[0]?.end()
    expect(await alone).toBe('did 1')
    await turnOfLoop()
    void gather('line', 2)
    expect(seen()).toEqual([[1], [2]])
  })

  test('go together when they come meanwhile, in their order and no more than so many', async () => {
    const { gather, groups, seen } = gathering()
    const sent = [1, 2, 3, 4, 5].map((request) => gather('line', request))
    groups[0]?.end()
    await turnOfLoop()
    expect(seen()).toEqual([[1], [2, 3, 4]])
    groups[1]?.end()
    await turnOfLoop()
    expect(seen()).toEqual([[1], [2, 3, 4], [5]])
    groups[2]?.end()
    expect(await Promise.all(sent)).toEqual(['did 1', 'did 2', 'did 3', 'did 4', 'did 5'])
  })

  test('have as many groups under way as their line may, and wait for no other line', () => {
    const { gather, seen } = gathering({ most: 3, atOnce: 2 })
    for (const request of [1, 2, 3]) void gather('line', request)
    void gather('other line', 4)
    expect(seen()).toEqual([[1], [2], [4]])
  })

  test('hear of themselves alone', async () => {
    const { gather, groups } = gathering()
    const sent = [0, -1, 2].map((request) => gather('line', request))
    groups[0]?.end()
    await turnOfLoop()
    groups[1]?.end()
    expect(await Promise.allSettled(sent)).toEqual([
      { status: 'fulfilled', value: 'did 0' },
      { status: 'rejected', reason: 'no -1' },
      { status: 'fulfilled', value: 'did 2' },
    ])
  })

  test('all hear what ended their group, and the next group goes on', async () => {
    const { gather, groups, seen } = gathering()
    const sent = [1, 2, 3].map((request) => gather('line', request))
    groups[0]?.end()
    await turnOfLoop()
    const ends = Promise.allSettled(sent.slice(1))
    const later = gather('line', 4)
    groups[1]?.fail(new Error('the node is away'))
    for (const end of await ends) expect(end).toMatchObject({ reason: { message: 'the node is away' } })
    await turnOfLoop()
    expect(seen().at(-1)).toEqual([4])
    groups[2]?.end()
    expect(await later).toBe('did 4')
  })
})

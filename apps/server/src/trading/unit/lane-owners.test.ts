import { describe, expect, it } from 'vitest'
import { DatabaseUnavailableError } from '../../platform/db/database.ts'
import { inTurnFor } from './home.rules.ts'
import { createLaneHomes } from './lane-homes.ts'
import { createLaneOwners } from './lane-owners.ts'
import { createOrderServers } from './order-servers.ts'

const [ME, OTHER, THIRD] = ['http://10.0.0.1:80', 'http://10.0.0.2:80', 'http://10.0.0.3:80']
const few = () => 10
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lanes that belong to a server while all of these are there. */
const lanesOf = (url: string, urls: readonly string[]): string[] =>
  Array.from({ length: 200 }, (_, index) => `lane ${index}`).filter((lane) => inTurnFor(lane, urls)[0] === url)

/** What one server believes, on a clock that is moved by hand; all lanes that it has not left are its own. */
function setUp() {
  const timers: { at: number; work: () => void }[] = []
  const left: string[] = []
  let now = 0
  let there: readonly string[] = [OTHER]
  let isReached = true
  const clock = {
    elapsed: () => now,
    after: (milliseconds: number, work: () => void) => void timers.push({ at: now + milliseconds, work }),
  }
  const me = { name: 'me', url: ME }
  const asked = async <T>(answer: T): Promise<T> => {
    if (!isReached) throw new DatabaseUnavailableError('it is away')
    return answer
  }
  const homes = createLaneHomes({ journal: { meet: () => asked(there) }, timers: clock, me })
  const owners = createLaneOwners({
    journal: {
      owner: () => asked(undefined),
      claim: () => asked(true),
      async leave(laneId) {
        left.push(laneId)
        await asked(undefined)
      },
    },
    timers: clock,
    url: ME,
    orderServers: createOrderServers([], clock),
    homes,
    holding: { isOurs: (laneId) => !left.includes(laneId), nameIn: () => 'me', drop: async () => 'me' },
  })
  return {
    owners,
    left,
    meet(...urls: string[]): void {
      there = urls
    },
    reach(isNow: boolean): void {
      isReached = isNow
    },
    /** An order comes, is served, and so much time goes by. */
    async serve(laneId: string, milliseconds: number, resting = few): Promise<string | undefined> {
      const at = await owners.servedAt(laneId)
      if (at === undefined) owners.served(laneId, resting)
      now += milliseconds
      for (const { work } of timers.splice(0).filter((one) => one.at <= now || !timers.push(one))) work()
      await turn()
      return at
    },
  }
}

describe('the owner of lanes', () => {
  const [own = ''] = lanesOf(ME, [ME, OTHER])
  const [foreign = '', second = ''] = lanesOf(OTHER, [ME, OTHER])

  it('leaves one to the server that it belongs to, once that has been there for five seconds', async () => {
    const { left, serve } = setUp()
    for (let count = 0; count < 5; count += 1) for (const lane of [own, foreign]) await serve(lane, 500)
    expect(left).toEqual([])
    await serve(foreign, 100)
    expect(left).toEqual([foreign])
    expect(await serve(foreign, 100)).toBe(OTHER)
    expect(await serve(own, 100)).toBeUndefined()
  })

  it('leaves four a second, and none whose orders would take long to read', async () => {
    const { left, serve } = setUp()
    for (let count = 0; count < 6; count += 1) await serve(foreign, 1_000, () => 10_001)
    expect(left).toEqual([])
    await serve(foreign, 60)
    await serve(second, 60)
    expect(left).toEqual([foreign])
    await serve(own, 140)
    await serve(second, 60)
    expect(left).toEqual([foreign, second])
  })

  it('lets orders wait while it leaves one, and keeps none where it cannot say so', async () => {
    const { owners, left, serve, reach } = setUp()
    for (let count = 0; count < 6; count += 1) await serve(own, 1_000)
    owners.served(foreign, few)
    let answered: string | undefined | null = null
    void owners.servedAt(foreign).then((at) => {
      answered = at
    })
    await turn()
    expect(answered).toBeNull()
    reach(false)
    await serve(own, 60)
    expect([left, answered]).toEqual([[foreign], OTHER])
  })

  it('keeps all while it hears nothing of others, or nobody answers there', async () => {
    const { owners, left, serve, reach } = setUp()
    for (let count = 0; count < 3; count += 1) await serve(own, 1_000)
    reach(false)
    for (let count = 0; count < 4; count += 1) await serve(foreign, 1_000)
    expect(left).toEqual([])
    expect(await owners.stillAnswers(foreign, OTHER)).toBe(false)
    reach(true)
    await serve(own, 1_000)
    await serve(own, 0)
    expect(await owners.stillAnswers(foreign, OTHER)).toBe(true)
    owners.isGone(foreign, OTHER)
    expect(await owners.stillAnswers(foreign, OTHER)).toBe(false)
    await serve(foreign, 100)
    expect(left).toEqual([])
  })

  it('is the next one for what belongs to a server where nobody answers', async () => {
    const { owners, left, serve, meet } = setUp()
    meet(OTHER, THIRD)
    const [lane = ''] = lanesOf(OTHER, [ME, OTHER, THIRD]).filter((one) => inTurnFor(one, [ME, THIRD])[0] === ME)
    const [next = ''] = lanesOf(OTHER, [ME, OTHER, THIRD]).filter((one) => inTurnFor(one, [ME, THIRD])[0] === THIRD)
    await serve(own, 10)
    // As if nobody had them.
    left.push(lane, next)
    expect(await owners.servedAt(lane)).toBe(OTHER)
    expect(await owners.servedAt(next)).toBe(OTHER)
    for (const one of [lane, next, lane, next]) owners.isGone(one, OTHER)
    expect(await owners.servedAt(lane)).toBeUndefined()
    expect(await owners.servedAt(next)).toBe(THIRD)
  })
})

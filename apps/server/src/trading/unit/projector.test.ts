import { describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createProjector } from './projector.ts'

const LANE = 'lane'
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A projector on a clock that is moved by hand; a projection makes rows of everything. */
function setUp(projectionMs = 0, whileProjecting: (commit: () => void) => void = () => undefined) {
  const timers: { at: number; work: () => void }[] = []
  const projections: number[] = []
  let [now, committed] = [0, 0n]
  const projector = createProjector({
    journal: {
      async project() {
        projections.push(now)
        now += projectionMs
        const rows = committed
        whileProjecting(() => commitTo([LANE]))
        return rows
      },
      positions: async () => undefined,
    },
    timers: { elapsed: () => now, after: (milliseconds, work) => void timers.push({ at: now + milliseconds, work }) },
    log: createLog({ level: 'silent' }),
  })
  function commitTo(laneIds: readonly string[], entries = 1): void {
    committed += 1n
    for (const laneId of laneIds) projector.committed(laneId, { sequence: committed, entries })
  }
  return {
    projector,
    /** When each projection began. */
    projections,
    async commit(laneIds: readonly string[] = [LANE], entries = 1): Promise<void> {
      commitTo(laneIds, entries)
      await turn()
    },
    async pass(milliseconds: number): Promise<void> {
      now += milliseconds
      for (const { work } of timers.splice(0).filter((one) => one.at <= now || !timers.push(one))) work()
      await turn()
    },
  }
}

describe('the projector of a lane', () => {
  it('makes rows of a first group at once, and of those that come soon after together', async () => {
    const { projector, projections, commit, pass } = setUp()
    await commit()
    expect(projections).toEqual([0])
    for (let count = 0; count < 3; count += 1) {
      await pass(5)
      await commit()
    }
    expect(projections).toEqual([0])
    expect(projector.projected(LANE)).toBe(1n)
    await pass(5)
    expect(projections).toEqual([0, 20])
    expect(projector.projected(LANE)).toBe(4n)
  })

  it('does not rest while somebody waits for rows', async () => {
    const { projector, projections, commit, pass } = setUp()
    await commit()
    await pass(1)
    await commit()
    await projector.written(LANE)
    expect(projections).toEqual([0, 1])
    await commit()
    await projector.drain()
    expect(projections).toEqual([0, 1, 1])
  })

  it('lets those who wait for rows go once it has theirs, however much comes after', async () => {
    let projections = 0
    const { projector, commit } = setUp(0, (commitMore) => {
      projections += 1
      if (projections < 1_000) commitMore()
    })
    await commit()
    await projector.written(LANE)
    expect(projections).toBeLessThan(5)
    await projector.drain()
    expect(projections).toBe(1_000)
  })

  it('lets a lane go on as soon as little enough is left of it', async () => {
    const { projector, projections, commit, pass } = setUp()
    await commit()
    for (let count = 0; count < 3; count += 1) await commit()
    await projector.leftAtMost(LANE, 3)
    expect(projections).toEqual([0])
    const isOver = projector.leftAtMost(LANE, 2).then(() => true)
    await pass(0)
    expect(projections).toEqual([0, 0])
    expect(await isOver).toBe(true)
  })

  it('tells those who wait that a projection failed, and goes on when somebody asks again', async () => {
    let fails = true
    const { projector, commit } = setUp(0, () => {
      if (fails) throw new Error('no database')
    })
    await commit()
    await expect(projector.written(LANE)).rejects.toThrow('no database')
    fails = false
    await projector.written(LANE)
    expect(projector.projected(LANE)).toBe(1n)
  })

  it('rests the longer the more lanes are busy', async () => {
    const lanes = [LANE, 'another', 'a third']
    const { projections, commit, pass } = setUp(15)
    await commit(lanes)
    expect(projections).toEqual([0, 15, 30])
    await commit(lanes)
    // Six times 15 ms, once for each of the three.
    await pass(265)
    expect(projections).toHaveLength(3)
    await pass(600)
    expect(projections).toHaveLength(6)
  })

  it('rests no longer than until there is a portion to write', async () => {
    const { projector, projections, commit } = setUp(15)
    await commit()
    await commit([LANE], 599)
    expect(projections).toEqual([0])
    await commit()
    expect(projections).toEqual([0, 15])
    expect(projector.projected(LANE)).toBe(3n)
  })
})

import { describe, expect, it } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { createProjector } from './projector.ts'

const LANE = 'lane'
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A projector on a clock that is moved by hand; a projection makes rows of everything. */
function setUp(projectionMs = 0) {
  const timers: { at: number; work: () => void }[] = []
  const projections: number[] = []
  let [now, committed] = [0, 0n]
  const projector = createProjector({
    journal: {
      async project() {
        projections.push(now)
        now += projectionMs
        return committed
      },
      positions: async () => undefined,
    },
    timers: { elapsed: () => now, after: (milliseconds, work) => void timers.push({ at: now + milliseconds, work }) },
    log: createLog({ level: 'silent' }),
  })
  return {
    projector,
    /** When each projection began. */
    projections,
    async commit(laneIds: readonly string[] = [LANE]): Promise<void> {
      committed += 1n
      for (const laneId of laneIds) projector.committed(laneId, { sequence: committed, entries: 1 }, 'unit')
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
    expect(projector.left(LANE)).toBe(3)
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

  it('rests the longer the more lanes are busy', async () => {
    const lanes = [LANE, 'another', 'a third']
    const { projections, commit, pass } = setUp(15)
    await commit(lanes)
    expect(projections).toEqual([0, 15, 30])
    await commit(lanes)
    // Twice 15 ms, once for each of the three.
    await pass(85)
    expect(projections).toHaveLength(3)
    await pass(200)
    expect(projections).toHaveLength(6)
  })
})

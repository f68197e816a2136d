import type { Log } from '../../platform/log.ts'
import type { Timers } from '../../platform/timers.ts'
import type { LaneJournal } from './lane-journal.ts'

interface ProjectorParts {
  readonly journal: Pick<LaneJournal, 'project' | 'positions'>
  readonly timers: Timers
  readonly log: Log
}

interface Progress {
  readonly laneId: string
  /** Groups that this process committed, or found. */
  sequence: bigint
  /** Groups that are rows. */
  projected: bigint
  running: Promise<void> | undefined
  /** No sooner does the next projection begin, unless somebody waits for it. */
  restUntil: number
  /** Ends the rest. */
  wake: () => void
  /** How many wait for rows. */
  wanted: number
  /** Told once the next projection has ended, or failed. */
  listeners: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[]
  /** Journal entries of groups that are no rows yet, oldest first. */
  waiting: { readonly sequence: bigint; readonly entries: number }[]
  /** How many they are together: asked with every commit, and there may be thousands. */
  left: number
}

/** After that, whoever reads does it, or a worker. */
const ATTEMPTS = 20
const PAUSE_MS = 500

/**
 * A busy lane rests between projections: what a statement costs, it costs once for all groups that came meanwhile, and an order that is placed
 * and filled meanwhile is written once. Six times as long as the last projections of all busy lanes took, so that together they leave a database
 * six sevenths of one of its connections' time, however many they are. Nobody waits for that: whoever wants rows ends the rest, and those who
 * follow a book read its journal.
 */
const REST_BY_WORK = 6
const SHORTEST_REST_MS = 20
const LONGEST_REST_MS = 1_000
/** Journal entries that end a rest: rows of many more keep a core busy for so long that those who commit meanwhile feel it. */
const PORTION = 600

/**
 * Makes rows of the groups that this process committed. Anybody may do it at any time: the position moves in the same transaction, so each
 * group becomes rows once.
 */
export function createProjector({ journal, timers, log }: ProjectorParts) {
  const lanes = new Map<string, Progress>()
  /** Lanes that have something to write. */
  let busy = 0

  function progressOf(laneId: string): Progress {
    let progress = lanes.get(laneId)
    if (!progress) {
      progress = {
        laneId,
        sequence: 0n,
        projected: 0n,
        running: undefined,
        restUntil: 0,
        wake: () => undefined,
        wanted: 0,
        listeners: [],
        waiting: [],
        left: 0,
      }
      lanes.set(laneId, progress)
    }
    return progress
  }

  function moveTo(lane: Progress, position: bigint): void {
    if (position <= lane.projected) return
    lane.projected = position
    lane.waiting = lane.waiting.filter(({ sequence }) => sequence > position)
    lane.left = lane.waiting.reduce((sum, { entries }) => sum + entries, 0)
  }

  async function rest(lane: Progress): Promise<void> {
    const milliseconds = lane.restUntil - timers.elapsed()
    if (milliseconds <= 0 || lane.wanted > 0 || lane.left >= PORTION) return
    await new Promise<void>((resolve) => {
      lane.wake = resolve
      timers.after(milliseconds, resolve)
    })
  }

  async function projectNext(lane: Progress): Promise<void> {
    await rest(lane)
    const begun = timers.elapsed()
    moveTo(lane, await journal.project(lane.laneId))
    const ended = timers.elapsed()
    const wanted = REST_BY_WORK * busy * (ended - begun)
    lane.restUntil = ended + Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, wanted))
  }

  /** One transaction after the other, until nothing is left. */
  async function projectAll(lane: Progress): Promise<void> {
    busy += 1
    try {
      while (lane.projected < lane.sequence) {
        await projectNext(lane)
        for (const { resolve } of lane.listeners.splice(0)) resolve()
      }
    } catch (error) {
      for (const { reject } of lane.listeners.splice(0)) reject(error)
      throw error
    } finally {
      // Here, and not a moment later: a group that came in between would find it running, and nobody would make rows of it.
      lane.running = undefined
      busy -= 1
    }
  }

  async function project(lane: Progress): Promise<void> {
    if (lane.projected < lane.sequence) lane.running ??= projectAll(lane)
    await lane.running
  }

  /** Nobody waits for it: who needs the rows asks again, and finds the fault. */
  function projectSoon(lane: Progress, attempt = 1): void {
    project(lane).catch((error) => {
      log.warn({ err: error, lane: lane.laneId, attempt }, 'rows do not follow the journal of a lane; trying again')
      if (attempt < ATTEMPTS) timers.after(PAUSE_MS, () => projectSoon(lane, attempt + 1))
    })
  }

  /** Until rows show as much as somebody waits for, and no more than that: of a busy lane there is always more to come. */
  async function projectUntil(lane: Progress, isEnough: () => boolean): Promise<void> {
    if (isEnough()) return
    lane.wanted += 1
    lane.wake()
    try {
      while (!isEnough())
        await new Promise<void>((resolve, reject) => {
          lane.listeners.push({ resolve, reject })
          project(lane).catch(() => undefined)
        })
    } finally {
      lane.wanted -= 1
    }
  }

  return {
    /** The last group that is rows, as far as this process knows. */
    projected: (laneId: string): bigint => progressOf(laneId).projected,

    /** Until no more than so many journal entries are left. */
    async leftAtMost(laneId: string, most: number): Promise<void> {
      const lane = progressOf(laneId)
      await projectUntil(lane, () => lane.left <= most)
    },

    committed(laneId: string, group: { sequence: bigint; entries: number }): void {
      const lane = progressOf(laneId)
      lane.sequence = group.sequence
      lane.waiting.push(group)
      lane.left += group.entries
      if (lane.left >= PORTION) lane.wake()
      projectSoon(lane)
    },

    /** All groups up to this one are rows: somebody saw it. */
    found(laneId: string, sequence: bigint): void {
      const lane = progressOf(laneId)
      lane.sequence = sequence
      moveTo(lane, sequence)
    },

    /** Until everything is written that this process knew of when it was asked. */
    async written(laneId: string): Promise<void> {
      const lane = progressOf(laneId)
      const target = lane.sequence
      await projectUntil(lane, () => lane.projected >= target)
    },

    /** The same for a lane that others commit to. */
    async writtenByAnybody(laneId: string): Promise<void> {
      const found = await journal.positions(laneId)
      if (!found) return
      for (let position = found.projected; position < found.sequence; ) position = await journal.project(laneId)
    },

    async drain(): Promise<void> {
      for (const lane of lanes.values()) await projectUntil(lane, () => lane.projected >= lane.sequence)
    },
  }
}

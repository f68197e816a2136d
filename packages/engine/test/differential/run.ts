import type { Command } from '../../src/commands.ts'
import { createEngine, restoreEngine } from '../../src/engine.ts'
import { canonicalText } from '../../src/journal/canonical-text.ts'
import { appendEntry, emptyHead, type Head, type JournalEntry, replay } from '../../src/journal/journal.ts'
import { needed } from '../naive/naive-money.ts'
import { isWaiting } from '../naive/naive-state.ts'
import { createNaiveUnit } from '../naive/naive-unit.ts'
import { crossed, eventDifferences, levelDifferences, naiveLevels, stateDifferences } from './compare.ts'
import { expiryDifferences, meetingDifferences } from './compare-foresight.ts'
import type { Dice } from './dice.ts'
import { drawCommand } from './draw-command.ts'
import { createLedger } from './ledger.ts'
import { drawWorld } from './world.ts'

export interface RunOptions {
  readonly dice: Dice
  readonly commands: number
  /** So many commands on one unit, then another with other books. */
  readonly commandsPerUnit?: number
  readonly onProgress?: (done: number) => void
}

export interface RunReport {
  readonly commands: number
  readonly events: ReadonlyMap<string, number>
  /** Of the first unit on which something differed: what, and the commands that led there. */
  readonly differences: readonly string[]
  readonly script: readonly Command[]
}

/** So many commands from one look at every order to the next. What differs there stays so, and its events are compared at once. */
const WHOLE_EVERY = 10

/** The same drawn commands on the engine and on the naive book, compared after every one. */
export function runDifferential({ dice, commands, commandsPerUnit = 1000, onProgress }: RunOptions): RunReport {
  const events = new Map<string, number>()
  for (let done = 0; done < commands; done += commandsPerUnit) {
    const found = runUnit(dice, Math.min(commandsPerUnit, commands - done), events)
    if (found.differences.length > 0) return { commands: done + found.script.length, events, ...found }
    if (Math.floor(done / 50_000) !== Math.floor((done + commandsPerUnit) / 50_000))
      onProgress?.(done + commandsPerUnit)
  }
  return { commands, events, differences: [], script: [] }
}

function runUnit(dice: Dice, count: number, tally: Map<string, number>): Pick<RunReport, 'differences' | 'script'> {
  const world = drawWorld(dice)
  const naive = createNaiveUnit()
  const ledger = createLedger()
  const script: Command[] = []
  const entries: JournalEntry[] = []
  const start = emptyHead('unit')
  let engine = createEngine()
  let head: Head = start
  let at = 0
  let levels = naiveLevels(naive.state)

  function step(command: Command): string[] {
    script.push(command)
    const foreseen = command.kind === 'place' ? engine.makersFor(command) : []
    const events = engine.apply(command)
    const expected = naive.apply(command)
    const before = levels
    levels = naiveLevels(naive.state)
    const entry = appendEntry(head, command, events)
    entries.push(entry)
    head = entry
    for (const event of events) {
      const name = event.kind === 'refused' ? `refused ${event.code}` : event.kind
      tally.set(name, (tally.get(name) ?? 0) + 1)
      const reason = event.kind === 'orderChanged' && event.reason !== null ? `ended ${event.reason}` : null
      if (reason) tally.set(reason, (tally.get(reason) ?? 0) + 1)
    }
    return [
      ...eventDifferences(events, expected),
      ...levelDifferences(events, before, levels),
      ...(script.length % WHOLE_EVERY === 0 ? stateDifferences(engine, naive.state, levels) : []),
      ...(command.kind === 'place' ? meetingDifferences(command, foreseen, events) : []),
      ...expiryDifferences(engine, naive.state),
      ...ledger.follow(events),
      ...crossed(
        engine,
        naive.state.books.map(({ id }) => id),
      ).map((book) => `${book} is crossed`),
      ...naive.state.orders
        .filter((order) => isWaiting(order) && order.reserved < needed(order))
        .map((order) => `${order.placed.order} has too little reserved`),
    ]
  }

  for (const opened of world.books) {
    const differences = step(opened)
    if (differences.length > 0) return { differences, script }
  }
  for (let number = 0; number < count; number += 1) {
    at += dice.integer(-1, 4)
    const differences = step(drawCommand({ dice, world, naive: naive.state, number, at }))
    if (differences.length > 0) return { differences, script }
    if (dice.chance(0.002)) {
      const snapshot = engine.snapshot()
      engine = restoreEngine(snapshot)
      if (engine.snapshot() !== snapshot) return { differences: ['a restored unit gives another snapshot'], script }
    }
    if (number % 200 === 0) {
      naive.forget()
      ledger.forget()
    }
  }
  const differences = [
    ...stateDifferences(engine, naive.state, levels),
    ...endDifferences(engine.stateHash(), start, head, entries),
  ]
  return { differences, script }
}

/** A replay of the whole journal ends where the unit stands, although the unit was restored on its way. */
function endDifferences(stateHash: string, start: Head, head: Head, entries: readonly JournalEntry[]): string[] {
  const again = createEngine()
  const end = replay(again, start, entries)
  if (again.stateHash() !== stateHash) return ['a replay gives another state']
  return canonicalText({ number: end.number, hash: end.hash }) ===
    canonicalText({ number: head.number, hash: head.hash })
    ? []
    : ['a replay gives another head']
}

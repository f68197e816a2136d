import { measureConsole } from './console-rows.ts'
import { measureDeepBook } from './deep-book-rows.ts'
import { measureMatching } from './engine-rows.ts'
import { measureIsolation } from './isolation-rows.ts'
import { measureLanes } from './lane-rows.ts'
import { measureLending } from './lending-rows.ts'
import { measurePositions } from './position-rows.ts'
import { measureRegister } from './register-rows.ts'
import { createReport } from './report.ts'
import { readSizes } from './scale/sizes.ts'
import { measureScale } from './scale-rows.ts'
import { measureSigned } from './signed-rows.ts'
import { measureStandby } from './standby-rows.ts'
import { measureTokens } from './token-rows.ts'
import { measureTrading } from './trading-rows.ts'
import { measureVenue } from './venue-rows.ts'
import { createBenchWorld, startServers } from './world.ts'

const effort = { rounds: Number(process.env.BENCH_ROUNDS ?? 7), seconds: Number(process.env.BENCH_SECONDS ?? 2) }
/** Many readers for this long, once, instead of in rounds. */
const loadSeconds = process.env.BENCH_LOAD_SECONDS
const load = loadSeconds === undefined ? effort : { rounds: 1, seconds: Number(loadSeconds) }

/** `npm run bench -- register engine` measures these parts alone. */
const parts = [
  'tokens',
  'lending',
  'register',
  'engine',
  'trading',
  'signed',
  'lanes',
  'venue',
  'book',
  'isolation',
  'console',
  'scale',
  'standby',
] as const
const chosen = process.argv.slice(2)
const isWanted = (part: (typeof parts)[number]) => chosen.length === 0 || chosen.includes(part)
const report = createReport()

async function measureReads(): Promise<void> {
  const world = await createBenchWorld()
  const servers = await startServers(world)
  try {
    if (isWanted('tokens')) await measureTokens(world, servers, report, effort)
    if (isWanted('lending')) {
      const marketId = await measureLending(world, servers, report, effort)
      await measurePositions(world, servers, report, { ...load, marketId })
    }
    if (isWanted('register')) await measureRegister(world.databaseUrl, world.superuserUrl, report)
  } finally {
    servers.stop()
    await world.stop()
  }
}

const strange = chosen.filter((word) => !parts.some((part) => part === word))
if (strange.length > 0) {
  console.error(`The parts are ${parts.join(', ')}; not: ${strange.join(' ')}`)
  process.exitCode = 2
} else {
  process.stdout.write(
    `${effort.rounds} rounds of ${effort.seconds} s each, interleaved, 16 connections (64 for orders); the figure is the median ratio\n`,
  )
  if (isWanted('tokens') || isWanted('lending') || isWanted('register')) await measureReads()
  if (isWanted('engine')) await measureMatching(report, { commands: 1_000_000, rounds: 3 })
  if (isWanted('trading')) await measureTrading(report, effort)
  // Only by name: its orders are signed first, which takes a minute.
  if (chosen.includes('signed')) await measureSigned(report, effort)
  // Only by name: it says what things cost, and holds them against nothing.
  if (chosen.includes('lanes')) await measureLanes()
  // Only by name: it takes minutes.
  if (chosen.includes('venue')) await measureVenue(report, effort.seconds)
  // Only by name: to fill the book takes most of its time.
  if (chosen.includes('book')) await measureDeepBook(report, effort)
  if (isWanted('isolation')) await measureIsolation(report, effort)
  // Only by name: it takes minutes.
  if (chosen.includes('scale')) await measureScale(report, effort, readSizes(process.env))
  // Only by name: it reads what Linux knows of processes.
  if (chosen.includes('standby')) await measureStandby(report, effort)
  // Only by name: it needs a browser, which npm does not bring.
  if (chosen.includes('console')) await measureConsole(report)
  process.exitCode = report.missed() > 0 ? 1 : 0
}

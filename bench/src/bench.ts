import { measureLending } from './lending-rows.ts'
import { measurePositions } from './position-rows.ts'
import { measureRegister } from './register-rows.ts'
import { createReport } from './report.ts'
import { measureTokens } from './token-rows.ts'
import { createBenchWorld, startServers } from './world.ts'

const effort = { rounds: Number(process.env.BENCH_ROUNDS ?? 7), seconds: Number(process.env.BENCH_SECONDS ?? 2) }
/** Many readers for this long, once, instead of in rounds. */
const loadSeconds = process.env.BENCH_LOAD_SECONDS
const load = loadSeconds === undefined ? effort : { rounds: 1, seconds: Number(loadSeconds) }

/** `npm run bench -- register` measures one part alone. */
const chosen = process.argv.slice(2)
const isWanted = (part: 'tokens' | 'lending' | 'register') => chosen.length === 0 || chosen.includes(part)

const world = await createBenchWorld()
const servers = await startServers(world)
const report = createReport()
try {
  process.stdout.write(
    `${effort.rounds} rounds of ${effort.seconds} s each, interleaved, 16 connections; the figure is the median ratio\n`,
  )
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
process.exitCode = report.missed() > 0 ? 1 : 0

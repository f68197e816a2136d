import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTestCluster, startTestChain } from '@tallystick/testkit'
import postgres from 'postgres'
import { createOperatorService } from '../../apps/server/src/access/index.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { migrate } from '../../apps/server/src/platform/db/migrate.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { interleave, ratio, type Sample } from './measure.ts'
import { type Report, rate } from './report.ts'
import { startServing } from './serving-script.ts'

const AUDITED = 200
const TICKS_PER_SECOND = 100
const BAR = 0.5

async function prepare(url: string, chainId: number): Promise<string> {
  const database = createDatabase({ url, poolSize: 2, applicationName: 'tally-bench-setup' })
  const operator = createOperatorService(database, { clock: systemClock, random: systemRandom })
  const instance = {
    name: 'lists',
    chainId,
    environment: 'DEVELOPMENT' as const,
    services: ['external-tokens' as const],
  }
  const { instanceId, apiKey } = await operator.createInstance(instance)
  for (let count = 0; count < AUDITED / 2; count += 1) {
    const { keyId } = await operator.createKey(instanceId, { name: `key ${count}`, scopes: ['tokens:read'] })
    await operator.revokeKey(instanceId, keyId)
  }
  await database.close()
  return apiKey
}

function startServers(args: readonly string[]) {
  const script = fileURLToPath(new URL('./standby-servers.ts', import.meta.url))
  return startServing<{ primary: number; standby: number }>(['--import', 'tsx', script, ...args])
}

/** What the connections of a server have cost the primary so far, in seconds. Linux tells. */
async function processorTime(superuser: postgres.Sql, applicationName: string): Promise<number> {
  const rows = await superuser<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = ${applicationName}`
  const ticks = rows.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

const answersOf = (samples: readonly Sample[]) => samples.reduce((sum, { answers }) => sum + answers, 0)

/** What a standby takes off the primary, and what it costs on a machine that both share. */
export async function measureStandby(
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const cluster = await createTestCluster({ synchronous_commit: 'on' })
  const chain = await startTestChain()
  await cluster.createTemplate('bench', async (url) => {
    await migrate(url)
  })
  const { url } = await cluster.cloneDatabase('bench')
  const apiKey = await prepare(url, chain.chainId)
  const standby = await cluster.addStandby()
  const superuser = postgres(cluster.superuserUrl, { max: 1, onnotice: () => undefined })
  const servers = await startServers([url, standby.urlOf(url), chain.url])
  try {
    const at = (port: number) => ({
      url: `http://127.0.0.1:${port}/access/api/audit?limit=100`,
      headers: { 'x-api-key': apiKey },
    })
    const loads = { standby: at(servers.ports.standby), primary: at(servers.ports.primary) }
    // Also what a process does once, and what it has to learn.
    await interleave(loads, 1, 1)
    const spent = () => Promise.all(['bench standby', 'bench primary'].map((name) => processorTime(superuser, name)))
    const before = await spent()
    const list = await interleave(loads, rounds, seconds)
    const after = await spent()
    const raw = `${rate(list.standby)} / ${rate(list.primary)}`
    const throughput = ratio(list.standby, list.primary, 'perSecond')
    report.row('list of a standby / of the primary, one machine', throughput, 'printed', true, raw)
    const [ours = 0, theirs = 0] = [list.standby, list.primary].map(
      (samples, index) => (((after[index] ?? 0) - (before[index] ?? 0)) / answersOf(samples)) * 1e6,
    )
    const cost = `${ours.toFixed(0)} / ${theirs.toFixed(0)} µs`
    report.row('the same, CPU of the primary for a list', ours / theirs, `<= ${BAR}`, ours / theirs <= BAR, cost)
  } finally {
    servers.stop()
    await superuser.end()
    await Promise.all([cluster.stop(), chain.stop()])
  }
}

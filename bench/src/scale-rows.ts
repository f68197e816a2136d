import { cpus, loadavg } from 'node:os'
import type { Report } from './report.ts'
import { measureListeners } from './scale/listener-rows.ts'
import { measureLoans } from './scale/loan-rows.ts'
import type { Sizes } from './scale/sizes.ts'
import { measureTenants } from './scale/tenant-rows.ts'
import { measureReplicas } from './trading/replicas.ts'

interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** Servers share the machine with each other, the database and whoever asks: more of them gain where there are cores for them. */
async function measureServers(report: Report, { rounds, seconds }: Effort): Promise<void> {
  const [one = [], two = [], three = []] = await measureReplicas(rounds, seconds, 3)
  const label = (count: string) => `${count} servers over 16 ledgers, beside one, all on ${cpus().length} cores`
  report.throughput(label('two'), two, one, 1)
  report.throughput(label('three'), three, one, 1)
}

/** What grows when there is more of something, and what does not. Minutes, and so only by name. */
export async function measureScale(report: Report, effort: Effort, sizes: Sizes): Promise<void> {
  for (const part of sizes.parts) {
    const [minute = 0] = loadavg()
    process.stdout.write(`        ${part}, load average ${minute.toFixed(1)}\n`)
    if (part === 'loans') await measureLoans(report, { ...effort, ...sizes })
    if (part === 'listeners') await measureListeners(report, sizes)
    if (part === 'servers') await measureServers(report, effort)
    if (part === 'tenants') await measureTenants(report, { ...effort, ...sizes })
  }
}

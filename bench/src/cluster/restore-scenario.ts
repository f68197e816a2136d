import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { auditLane, untilSettled } from '../../../apps/server/test/trading/audit.ts'
import { followerFault } from '../soak/follower-check.ts'
import { startConfined } from './confined.ts'
import { PORTS } from './places.ts'
import { createServiceProcess, SERVICES } from './processes.ts'
import type { Figures, Scenario, Stage } from './scenario.ts'
import type { Cluster } from './start-cluster.ts'
import { inTree } from './tree.ts'
import { until } from './until.ts'

const LOAD_MS = 5_000
const AS_POSTGRES = 'setpriv --reuid=postgres --regid=postgres --init-groups'
const BIN = '/usr/lib/postgresql/18/bin'

/** Everything that clients were told, as a few figures: two databases with the same ones hold the same. */
async function pictureOf(sql: Sql): Promise<string> {
  const [picture] = await sql`
    select (select count(*) from orders)::text as orders, (select count(*) from trades)::text as trades,
      (select md5(string_agg(hash, '' order by unit_id, sequence)) from unit_journal) as journal,
      (select md5(string_agg(lane_id::text || sequence || coalesce(head_hash, ''), '' order by lane_id, sequence)) from lane_groups) as groups,
      (select md5(string_agg(idempotency_key, '' order by idempotency_key)) from idempotency_keys) as keys,
      (select count(*) from token_imports)::text as imports, (select sum(available + reserved)::text from ledger_balances) as money`
  return JSON.stringify(picture)
}

function takeBaseBackup({ tree, data, secrets }: Cluster): void {
  const command = `${AS_POSTGRES} env PGPASSWORD=${secrets.replicator} ${BIN}/pg_basebackup -h 127.0.0.1 -p ${PORTS.primary} -U replicator -D /srv/restored -X none --checkpoint=fast`
  const prepare = [
    `mount --bind ${data} ${tree.folder}/srv`,
    `install -d -m 700 -o $(stat -c %u ${data}/archive) ${data}/restored`,
  ]
  const [program, ...args] = inTree(tree.folder, ['chroot', tree.folder, 'sh', '-c', command], ...prepare)
  const done = spawnSync(program, args, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`pg_basebackup: ${done.stderr}`)
}

/** PostgreSQL on the copy and the archive, as far as the second that was named. */
function startRestored({ tree, data }: Cluster, at: string) {
  writeFileSync(join(data, 'restored', 'recovery.signal'), '')
  const settings = {
    port: PORTS.restored,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    hba_file: '/srv/restored/pg_hba.conf',
    ident_file: '/srv/restored/pg_ident.conf',
    archive_mode: 'off',
    synchronous_standby_names: '',
    max_connections: 300,
    max_wal_senders: 10,
    restore_command: 'cp /srv/archive/%f %p',
    recovery_target_time: at,
    recovery_target_action: 'promote',
  }
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  const script = `${AS_POSTGRES} ${BIN}/postgres -D /srv/restored ${given.join(' ')} & wait`
  return startConfined({ name: 'restored', tree: tree.folder, data, script, logFile: join(data, 'restored.log') })
}

async function restore({ cluster, load }: Stage): Promise<Figures> {
  const { data, urls, secrets, env } = cluster
  const options = { max: 1, onnotice: () => undefined, fetch_types: false }
  const sql = postgres(urls.superuser, options)
  const copyUrl = (user: string, password: string) =>
    `postgres://${user}:${password}@127.0.0.1:${PORTS.restored}/tallystick`
  const copy = postgres(copyUrl('postgres', secrets.superuser), options)
  try {
    takeBaseBackup(cluster)
    await sleep(LOAD_MS)
    await load.pause()
    await untilSettled(sql)
    const then = await pictureOf(sql)
    await sleep(1_000)
    const [now] = await sql<{ at: string }[]>`select clock_timestamp()::text as at`
    await sleep(1_000)
    load.resume()
    await sleep(LOAD_MS)
    const [wal] = await sql<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`
    await until('the WAL is archived', 60_000, async () => {
      const [done] = await sql<
        { is: boolean }[]
      >`select last_archived_wal >= ${wal?.file ?? ''} as is from pg_stat_archiver`
      return done?.is ? true : undefined
    })
    const begun = Date.now()
    const restored = await startRestored(cluster, now?.at ?? '')
    try {
      await until('the copy has reached the second', 120_000, async () => {
        const [state] = await copy<{ is: boolean }[]>`select pg_is_in_recovery() as is`
        return state?.is === false ? true : undefined
      })
      const restoredMs = Date.now() - begun
      const back = await pictureOf(copy)
      if (back !== then) throw new Error(`the copy holds ${back}, and at that second it was ${then}`)
      if ((await pictureOf(sql)) === then)
        throw new Error('nothing was written after the second that was named: this shows nothing')
      await auditLane(copy, load.market.instanceId)
      const url = copyUrl('tallystick', secrets.service)
      const place = {
        ...SERVICES[SERVICES.length - 1],
        name: 'worker-of-copy',
        program: 'worker' as const,
        opsPort: PORTS.restoredOps,
      }
      const own = { ...env, DATABASE_URL: url, DATABASE_DIRECT_URL: '' }
      const worker = createServiceProcess(place, { dist: join(data, 'dist'), data, env: own })
      try {
        await worker.start()
        // The chain stands still while the two are compared.
        await load.pause()
        const fault = await followerFault(copy, cluster.chain.url)
        if (fault) throw new Error(`on the copy, ${fault}`)
      } finally {
        await worker.kill9()
      }
      return { restoredMs }
    } finally {
      await restored.kill9()
    }
  } finally {
    load.resume()
    await Promise.all([sql.end({ timeout: 5 }), copy.end({ timeout: 5 })])
  }
}

export const restoreScenarios: Record<string, Scenario> = {
  restore: {
    says: 'base backup and WAL to a named second: the copy holds what was there then, and a worker catches up from the chain',
    bars: {},
    times: 1,
    run: restore,
  },
}

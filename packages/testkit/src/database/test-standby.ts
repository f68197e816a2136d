import { chmodSync, copyFileSync, cpSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type RunningPostgres, startPostgres } from '@tallystick/embedded'
import postgres from 'postgres'

export interface TestStandby {
  superuserUrl: string
  /** The same database, here. */
  urlOf(databaseUrl: string): string
  /** Dies without a word to anybody. */
  kill9(): Promise<void>
  stop(): Promise<void>
}

/** They say that a server runs. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts'])
const prefix = 'standby-'

/** Of the servers in the folder of a cluster. */
export const standbysIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(({ name }) => join(folder, name))

/** A copy of a running server that replays its log from there on. */
export async function startStandby(
  primary: RunningPostgres,
  parts: { readonly folder: string; readonly number: number; readonly settings: Record<string, string> },
): Promise<TestStandby> {
  const dataDir = join(parts.folder, `${prefix}${parts.number}`)
  await copyWhileItRuns(primary, dataDir)
  const { port, password } = new URL(primary.url)
  const server = await startPostgres({
    dataDir,
    durable: false,
    settings: {
      ...parts.settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
      wal_retrieve_retry_interval: '100ms',
    },
  })
  return {
    superuserUrl: server.url,
    urlOf: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(server.port) }).href,
    async kill9() {
      server.kill9()
      await server.exited
    },
    stop: () => server.stop(),
  }
}

async function copyWhileItRuns(primary: RunningPostgres, dataDir: string): Promise<void> {
  // One connection: whoever begins a backup has to end it.
  const sql = postgres(primary.url, { max: 1, onnotice: () => undefined })
  try {
    await sql`select pg_backup_start('standby', true)`
    cpSync(primary.dataDir, dataDir, { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) })
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    writeFileSync(join(dataDir, 'backup_label'), label?.labelfile ?? '')
    writeFileSync(join(dataDir, 'standby.signal'), '')
  } finally {
    await sql.end()
  }
  chmodSync(dataDir, 0o700)
  copyFileSync(`${primary.dataDir}.password`, `${dataDir}.password`)
}

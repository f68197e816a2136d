import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPortFree } from '@tallystick/embedded'
import { type Confined, startConfined } from './confined.ts'
import { type Secrets, userOf } from './database.ts'
import { configurations, MACHINES, PORTS } from './places.ts'
import { fillTemplate } from './template.ts'
import { until } from './until.ts'

export type EntryProgram = 'haproxy' | 'pgbouncer' | 'valkey'

export interface Entry {
  kill(program: EntryProgram): Promise<void>
  start(program: EntryProgram): Promise<void>
  stop(): Promise<void>
}

/** Not in place of the shell: whoever changes its user is no longer told that its parent died. */
const as = (user: string, command: string) => `setpriv --reuid=${user} --regid=${user} --init-groups ${command} & wait`
const SCRIPTS: Record<EntryProgram, { script: string; port: number }> = {
  haproxy: { script: as('haproxy', 'haproxy -db -f /srv/haproxy.cfg'), port: PORTS.primary },
  pgbouncer: { script: as('postgres', 'pgbouncer /srv/pgbouncer.ini'), port: PORTS.pooler },
  valkey: { script: as('valkey', 'valkey-server /srv/valkey.conf'), port: PORTS.limits },
}

const servers = (list: readonly { name: string; address: string; check: string }[]): string =>
  list.map(({ name, address, check }) => `    server ${name} ${address} ${check}`).join('\n')

/** HAProxy, PgBouncer and Valkey, from their configuration files. */
export async function startEntry(parts: {
  readonly tree: string
  readonly data: string
  readonly secrets: Secrets
}): Promise<Entry> {
  const { tree, data, secrets } = parts
  const running = new Map<EntryProgram, Confined>()
  const write = (file: string, user: string, text: string) => {
    const { uid, gid } = userOf(tree, user)
    writeFileSync(join(data, file), text, { mode: 0o600 })
    chownSync(join(data, file), uid, gid)
  }
  const fill = (file: string, user: string, values: Record<string, string | number>) =>
    write(file, user, fillTemplate(readFileSync(join(configurations, file), 'utf8'), values))
  const databases = MACHINES.map(({ name, address }) => ({
    name,
    address: `${address}:5432`,
    check: 'check port 8008',
  }))
  fill('haproxy.cfg', 'haproxy', {
    primaryPort: PORTS.primary,
    replicasPort: PORTS.replicas,
    apiPort: PORTS.api,
    apiHost: `127.0.0.1:${PORTS.api}`,
    figuresPort: PORTS.figures,
    primaryServers: servers(databases),
    replicaServers: servers(databases),
    apiServers: servers(
      PORTS.apis.map((port, index) => ({ name: `api${index + 1}`, address: `127.0.0.1:${port}`, check: 'check' })),
    ),
  })
  fill('pgbouncer.ini', 'postgres', { primaryPort: PORTS.primary, poolerPort: PORTS.pooler })
  fill('valkey.conf', 'valkey', { limitsPort: PORTS.limits })
  write('pgbouncer-users.txt', 'postgres', `"tallystick" "${secrets.service}"\n`)

  async function start(program: EntryProgram): Promise<void> {
    const { script, port } = SCRIPTS[program]
    const started = await startConfined({ name: program, tree, data, script, logFile: join(data, `${program}.log`) })
    running.set(program, started)
    await until(`${program} on port ${port}`, 15_000, async () => {
      if (!started.isAlive())
        throw new Error(`it ended: ${readFileSync(join(data, `${program}.log`), 'utf8').slice(-500)}`)
      return (await isPortFree(port)) ? undefined : true
    })
  }
  const kill = async (program: EntryProgram) => running.get(program)?.kill9()
  for (const program of ['haproxy', 'pgbouncer', 'valkey'] as const) await start(program)
  return {
    start,
    kill,
    async stop() {
      await Promise.all([...running.values()].map((one) => one.kill9()))
    },
  }
}

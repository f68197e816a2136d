import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, isPortFree } from '@tallystick/embedded'
import { type Program, runCommand } from './program.ts'

export interface Pooler {
  /** The same database, reached through the pooler. */
  readonly url: string
  /** Ends it with all its connections. */
  pause(): Promise<void>
  /** Starts it again, on the same port. */
  resume(): Promise<void>
  stop(): Promise<void>
}

/** Debian's PgBouncer with its own defaults but for `settings`, in front of the database behind `databaseUrl`. */
export async function startPgBouncer(databaseUrl: string, settings: Record<string, string>): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-pooler-'))
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl)
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  const options = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
  }
  const lines = Object.entries({ ...options, ...settings }).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(users, `"${username}" "${password}"\n`)
  writeFileSync(config, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`)
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { user: { uid: 65_534, gid: 65_534 } } : {}
  let program: Program | undefined

  async function resume(): Promise<void> {
    const started = runCommand('pgbouncer', [config], user)
    program = started
    const ended = started.ended.then(() => Promise.reject(new Error(`pgbouncer ended: ${started.stderr()}`)))
    ended.catch(() => {})
    while (await isPortFree(port)) await Promise.race([sleep(50), ended])
  }
  const pause = async () => program?.kill9()

  await resume()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    pause,
    resume,
    async stop() {
      await pause()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { PORTS } from './places.ts'
import { until } from './until.ts'

export interface ServiceProcess {
  readonly name: string
  readonly uid: number
  readonly pid: () => number
  /** Of the operator's port. */
  readonly opsUrl: string
  /** Of an API. */
  readonly url: string | undefined
  start(): Promise<void>
  kill9(): Promise<void>
  /** Ends as it is told to end in a rolling restart. */
  terminate(): Promise<void>
  signal(signal: NodeJS.Signals): void
  readonly ownDeaths: readonly string[]
}

const READY_MS = 60_000
/** Each process has a user of its own, so that one of them can be cut off. */
const FIRST_UID = 64_100

interface Place {
  readonly name: string
  readonly program: 'api' | 'worker'
  readonly port?: number
  readonly opsPort: number
}

export const SERVICES: readonly Place[] = [
  ...PORTS.apis.map((port, index) => ({
    name: `api${index + 1}`,
    program: 'api' as const,
    port,
    opsPort: PORTS.apiOps[index] ?? 0,
  })),
  ...PORTS.workerOps.map((opsPort, index) => ({ name: `worker${index + 1}`, program: 'worker' as const, opsPort })),
]

/** One process of the service, of a built tree, run by a user that may do nothing. */
export function createServiceProcess(
  place: Place,
  parts: { readonly dist: string; readonly data: string; readonly env: Readonly<Record<string, string>> },
): ServiceProcess {
  const { name, program, port, opsPort } = place
  const uid = FIRST_UID + 1 + SERVICES.indexOf(place)
  const url = port === undefined ? undefined : `http://127.0.0.1:${port}`
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const ownDeaths: string[] = []
  let child: ChildProcess | undefined
  let isWanted = false
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null

  async function end(signal: NodeJS.Signals): Promise<void> {
    isWanted = false
    if (!child || !isAlive()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    name,
    uid,
    url,
    opsUrl,
    ownDeaths,
    pid: () => child?.pid ?? 0,
    async start() {
      if (isAlive()) return
      const log = openSync(join(parts.data, `${name}.log`), 'a')
      const own: Record<string, string> = {
        OPS_PORT: String(opsPort),
        ...(url ? { PORT: String(port), PEER_URL: url } : {}),
      }
      const args = [
        '--pdeathsig',
        'KILL',
        `--reuid=${uid}`,
        `--regid=${uid}`,
        '--clear-groups',
        process.execPath,
        join(parts.dist, `${program}.js`),
      ]
      const started = spawn('setpriv', args, {
        env: { PATH: process.env.PATH, ...parts.env, ...own },
        stdio: ['ignore', log, log],
        cwd: '/',
        detached: true,
      })
      child = started
      isWanted = true
      started.once('exit', (code, signal) => {
        if (isWanted && child === started) ownDeaths.push(`${name} ended by itself with ${code ?? signal}`)
      })
      await until(`${name} is ready`, READY_MS, async () => {
        if (!isAlive()) throw new Error(`${name} ended while it started: ${join(parts.data, `${name}.log`)}`)
        return (await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok ? true : undefined
      })
    },
    kill9: () => end('SIGKILL'),
    terminate: () => end('SIGTERM'),
    signal: (signal) => void child?.kill(signal),
  }
}

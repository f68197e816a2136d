import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortInUseError, StartFailedError } from '../errors.ts'
import { forgetOwner, recordOwner } from '../ownership.ts'
import { installedPostgres } from '../platform-binaries.ts'
import { freePort, isPortFree } from '../ports.ts'
import { type SupervisedProcess, spawnSupervised } from '../supervised-process.ts'
import { leavePointer, locateData } from './data-location.ts'
import { ensureInitialised } from './initialisation.ts'
import { usableNativeFiles } from './native-files.ts'
import { readPostmaster } from './postmaster-file.ts'
import { clearTheWay, postgresStopSteps } from './recovery.ts'
import { serverEnvironment } from './server-environment.ts'
import { commandLine } from './server-settings.ts'
import { databaseUser, type SystemUser } from './system-user.ts'

export interface PostgresOptions {
  dataDir: string
  /** A free port is chosen when not given. */
  port?: number
  settings?: Record<string, string>
  logFile?: string
  /** false trades every guarantee after a crash for speed: throw-away databases only. */
  durable: boolean
}

export interface RunningPostgres {
  /** Connects as superuser. */
  url: string
  port: number
  pid: number
  /** Where the files really are; differs from what was asked for when that folder is closed to the server's user. */
  dataDir: string
  exited: Promise<void>
  stop(): Promise<void>
  /** For tests of crash recovery. */
  kill9(): void
}

interface Server {
  binary: string
  dataDir: string
  user: SystemUser | undefined
}

/** Long enough to replay the log of a big database after a crash. */
const startTimeoutMs = 120_000
const startAttempts = 20

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const installed = installedPostgres()
  const user = databaseUser(options.dataDir)
  const native = usableNativeFiles(installed, user)
  const location = locateData(options.dataDir, user)
  const { dataDir } = location
  await clearTheWay(dataDir)
  if (location.abandoned) rmSync(dataDir, { recursive: true, force: true })
  const password = ensureInitialised({ initdb: native.initdb, dataDir, user, durable: options.durable })
  leavePointer(location)
  if (user) giveTo(user, dataDir)

  const { server, port } = await startServer({ binary: native.postgres, dataDir, user }, options)
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: server.pid,
    dataDir,
    exited: server.exited,
    async stop() {
      await server.stop()
      forgetOwner(dataDir)
    },
    kill9: server.kill9,
  }
}

async function startServer(
  { binary, dataDir, user }: Server,
  options: PostgresOptions,
): Promise<{ server: SupervisedProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    if (!(await isPortFree(port))) throw new PortInUseError(port, 'PostgreSQL')
    const server = await spawnSupervised({
      binary,
      args: commandLine(dataDir, port, options),
      cwd: dataDir,
      env: serverEnvironment(),
      user,
      logFile: options.logFile ?? `${dataDir}.log`,
      stopSteps: postgresStopSteps,
    })
    recordOwner(dataDir, server.pid)
    if (await becomesReady(server, dataDir)) return { server, port }
    await server.stop()
    const log = server.logTail()
    const portLost = log.includes('Address already in use')
    if (portLost && options.port !== undefined) throw new PortInUseError(port, 'PostgreSQL')
    // The last children of a killed server need a moment to notice its death.
    const passing = portLost || log.includes('pre-existing shared memory block')
    if (!passing || attempt === startAttempts) throw new StartFailedError(`PostgreSQL did not start:\n${log}`)
    await sleep(250)
  }
}

async function becomesReady(server: SupervisedProcess, dataDir: string): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && !server.hasExited()) {
    const postmaster = readPostmaster(dataDir)
    if (postmaster?.pid === server.pid && postmaster.ready) return true
    await sleep(20)
  }
  return false
}

function giveTo(user: SystemUser, dataDir: string): void {
  if (statSync(dataDir).uid === user.uid) return
  spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, dataDir], { stdio: 'ignore' })
}

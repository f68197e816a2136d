import { rmSync } from 'node:fs'
import { PortInUseError, StartFailedError } from '../errors.ts'
import { forgetOwner, recordOwner } from '../ownership.ts'
import { installedAnvil } from '../platform-binaries.ts'
import { freePort, isPortFree } from '../ports.ts'
import { type SupervisedProcess, spawnSupervised } from '../supervised-process.ts'
import { nodeArguments } from './command-line.ts'
import { pollChainId } from './json-rpc.ts'
import { ensureMulticall3 } from './multicall3.ts'
import { anvilStopSteps, stopOrphanedAnvil } from './recovery.ts'
import { createScratchFolder, inScratchFolder } from './scratch-folder.ts'
import { dumpIntervalSeconds, keepCopies } from './state-copies.ts'
import { canonicalStateFile, type Restoration, type RestoredState, restoreState } from './state-file.ts'

export interface AnvilOptions {
  /** Without one the chain lives in memory only. */
  stateFile?: string
  /** A free port is chosen when not given. */
  port?: number
  chainId?: number
  /** Blocks at this pace and with every transaction; when not given, with every transaction only. */
  blockTimeSeconds?: number
  now: () => Date
  logFile?: string
  mnemonic?: string
  extraArgs?: string[]
}

export interface RunningAnvil {
  url: string
  port: number
  pid: number
  restoration: Restoration
  exited: Promise<void>
  stop(): Promise<void>
  /** For tests of crash recovery. */
  kill9(): void
}

const startTimeoutMs = 60_000
const startAttempts = 5

export async function startAnvil(options: AnvilOptions): Promise<RunningAnvil> {
  const binary = installedAnvil()
  const stateFile = options.stateFile === undefined ? undefined : canonicalStateFile(options.stateFile)
  if (stateFile) await stopOrphanedAnvil(stateFile)
  const state: RestoredState = stateFile ? restoreState(stateFile) : { restoration: 'fresh', bytes: 0 }
  const scratch = stateFile ? undefined : createScratchFolder()
  const removeScratch = () => scratch && rmSync(scratch, { recursive: true, force: true })
  const filePrefix = stateFile ?? inScratchFolder(scratch ?? '')
  const logFile = options.logFile ?? `${filePrefix}.log`

  const nodeOptions = { ...options, stateFile, filePrefix, logFile }
  const { node, port, url } = await startNode(binary, nodeOptions, state).catch((error: unknown) => {
    removeScratch()
    throw error
  })
  const copies = stateFile ? keepCopies(stateFile, dumpIntervalSeconds(state.bytes)) : undefined
  return {
    url,
    port,
    pid: node.pid,
    restoration: state.restoration,
    exited: node.exited,
    async stop() {
      copies?.stop()
      await node.stop()
      forgetOwner(filePrefix)
      removeScratch()
    },
    kill9() {
      copies?.stop()
      node.kill9()
    },
  }
}

async function startNode(
  binary: string,
  options: AnvilOptions & { filePrefix: string; logFile: string },
  state: RestoredState,
): Promise<{ node: SupervisedProcess; port: number; url: string }> {
  const chainId = options.chainId ?? 31337
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    if (!(await isPortFree(port))) throw new PortInUseError(port, 'anvil')
    const node = await spawnSupervised({
      binary,
      args: nodeArguments({ ...options, port, chainId, startsAt: firstTimestamp(options.now(), state), state }),
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      logFile: options.logFile,
      stopSteps: anvilStopSteps,
    })
    recordOwner(options.filePrefix, node.pid)
    const url = `http://127.0.0.1:${port}`
    const answered = await pollChainId(url, startTimeoutMs, node.hasExited)
    if (answered === chainId && !node.hasExited()) {
      await ensureMulticall3(url).catch(async (error: unknown) => {
        await node.stop()
        throw error
      })
      return { node, port, url }
    }
    await node.stop()
    const portLost = node.logTail().includes('Address already in use')
    if (portLost && options.port !== undefined) throw new PortInUseError(port, 'anvil')
    if (portLost && attempt < startAttempts) continue
    if (answered === undefined) throw new StartFailedError(`anvil did not start:\n${node.logTail()}`)
    throw new StartFailedError(`The node at ${url} answers for chain ${answered} instead of ${chainId}.`)
  }
}

/** Seconds. A chain whose clock was moved ahead must not fall back behind its last block when it is started again. */
function firstTimestamp(now: Date, { latestTimestamp }: RestoredState): number {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return latestTimestamp === undefined ? nowSeconds : Math.max(nowSeconds, latestTimestamp + 1)
}

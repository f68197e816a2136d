import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortInUseError, StartFailedError } from '../errors.ts'
import { forgetOwner, recordOwner } from '../ownership.ts'
import { freePort, isPortFree } from '../ports.ts'
import { isListeningOn } from '../process-inspection.ts'
import { type SupervisedProcess, spawnSupervised } from '../supervised-process.ts'
import type { ChainEngine, EngineName, NodeArguments, Restoration, RestoredState } from './engine.ts'
import { chooseEngine } from './engines.ts'
import { pollChainId } from './json-rpc.ts'
import { ensureMulticall3 } from './multicall3.ts'
import { besideChain, nodeStopSteps, stopOrphanedNode } from './recovery.ts'
import { createScratchFolder, inScratchFolder } from './scratch-folder.ts'

export interface ChainOptions extends Partial<Omit<NodeArguments, 'startsAt'>> {
  /** When not given: the one that made the chain in the folder, else the best that is installed. */
  engine?: EngineName
  now: () => Date
  /** Where a chain that is still empty begins; when not given: now. One that has blocks goes on from now. */
  beginsAt?: Date
  logFile?: string
}

/** A real EVM node on this machine, whichever engine it runs on. */
export interface ChainNode {
  url: string
  port: number
  pid: number
  engine: EngineName
  restoration: Restoration
  /** Resolves when the node has gone although nobody asked it to. */
  exited: Promise<void>
  stop(): Promise<void>
  /** For tests of crash recovery. */
  kill9(): void
}

const startTimeoutMs = 60_000
const startAttempts = 5

/** One spelling per folder, so that the command line of a running node can be compared with it. */
export function canonicalFolder(folder: string): string {
  const absolute = resolve(folder)
  mkdirSync(absolute, { recursive: true })
  return realpathSync(absolute)
}

export async function startChain({ engine, ...options }: ChainOptions): Promise<ChainNode> {
  const folder = options.folder === undefined ? undefined : canonicalFolder(options.folder)
  return startChainOn(chooseEngine(engine, folder), { ...options, ...(folder ? { folder } : {}) })
}

export async function startChainOn(
  engine: ChainEngine,
  options: Omit<ChainOptions, 'engine'>,
  lookEveryMs = 60_000,
): Promise<ChainNode> {
  const { folder } = options
  if (folder) await stopOrphanedNode(folder)
  const scratch = folder ? undefined : createScratchFolder()
  const filePrefix = folder ? besideChain(folder) : inScratchFolder(scratch ?? '')
  const removeScratch = () => scratch && rmSync(scratch, { recursive: true, force: true })
  const settled = { ...options, filePrefix, logFile: options.logFile ?? `${filePrefix}.log` }

  const first = await startNode(engine, settled).catch((error: unknown) => {
    removeScratch()
    throw error
  })
  let current = first
  let companion = folder ? engine.accompany?.(folder) : undefined
  let replacing: Promise<void> | undefined
  let isStopping = false

  /** Stops a node that has outgrown its bounds, makes its files small, and starts it again on the same port. */
  async function replace(folder: string): Promise<void> {
    companion?.stop()
    await current.node.stop()
    if (isStopping) return
    current = await startNode(engine, { ...settled, port: current.port })
    companion = engine.accompany?.(folder)
    watchExit(current.node)
  }

  let noteExit: () => void = () => undefined
  const exited = new Promise<void>((resolve) => {
    noteExit = resolve
  })
  function watchExit(node: SupervisedProcess): void {
    void node.exited.then(() => {
      if (!replacing) noteExit()
    })
  }
  watchExit(first.node)

  const growth = setInterval(() => {
    if (!folder || replacing || !engine.hasOutgrown(folder, current.node.pid)) return
    replacing = replace(folder)
      .catch(noteExit)
      .finally(() => {
        replacing = undefined
      })
  }, lookEveryMs)
  growth.unref()

  return {
    url: first.url,
    port: first.port,
    get pid() {
      return current.node.pid
    },
    engine: engine.name,
    restoration: first.restoration,
    exited,
    async stop() {
      isStopping = true
      clearInterval(growth)
      await replacing
      companion?.stop()
      await current.node.stop()
      noteExit()
      forgetOwner(filePrefix)
      removeScratch()
    },
    kill9() {
      clearInterval(growth)
      companion?.stop()
      current.node.kill9()
    },
  }
}

interface StartedNode {
  node: SupervisedProcess
  port: number
  url: string
  restoration: Restoration
}

async function startNode(
  engine: ChainEngine,
  options: Omit<ChainOptions, 'engine'> & { filePrefix: string; logFile: string },
): Promise<StartedNode> {
  const chainId = options.chainId ?? 31337
  const program = `The chain node (${engine.name})`
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    if (!(await isPortFree(port))) throw new PortInUseError(port, 'the chain node')
    const state: RestoredState = options.folder ? engine.restore(options.folder) : { restoration: 'fresh' }
    const { env, ...command } = engine.command({
      ...options,
      port,
      chainId,
      startsAt: firstTimestamp(options, state),
    })
    const node = await spawnSupervised({
      ...command,
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      logFile: options.logFile,
      stopSteps: nodeStopSteps,
    })
    recordOwner(options.filePrefix, node.pid)
    const url = `http://127.0.0.1:${port}`
    const answered = await pollChainId(url, startTimeoutMs, node.hasExited)
    if (answered === chainId && (await hasThePort(node, port))) {
      await ensureMulticall3(url).catch(async (error: unknown) => {
        await node.stop()
        throw error
      })
      return { node, port, url, restoration: state.restoration }
    }
    await node.stop()
    const portLost = node.logTail().includes('Address already in use')
    if (portLost && options.port !== undefined) throw new PortInUseError(port, 'the chain node')
    if (portLost && attempt < startAttempts) continue
    if (answered === undefined) throw new StartFailedError(`${program} did not start:\n${node.logTail()}`)
    throw new StartFailedError(`The node at ${url} answers for chain ${answered} instead of ${chainId}.`)
  }
}

/** Another process may have taken the port while the node started, and have answered in its place: then the node is about to go. */
async function hasThePort(node: SupervisedProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline && !node.hasExited()) {
    if (isListeningOn(node.pid, port)) return true
    await sleep(20)
  }
  return false
}

/** Seconds. A chain whose clock was moved ahead must not fall back behind its last block when it is started again. */
function firstTimestamp(
  { now, beginsAt }: Pick<ChainOptions, 'now' | 'beginsAt'>,
  { latestTimestamp }: RestoredState,
): number {
  const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)
  if (latestTimestamp === undefined) return secondsOf(beginsAt ?? now())
  return Math.max(secondsOf(now()), latestTimestamp + 1)
}

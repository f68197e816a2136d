import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTree } from './tree.ts'

/** A program, or a whole machine, in namespaces of its own: when it is killed, or we are, all that it started dies with it. */
export interface Confined {
  readonly name: string
  /** Of its first process, as seen from here. */
  pid(): number
  isAlive(): boolean
  kill9(): Promise<void>
  /** All processes in it, with their commands. */
  processes(): { pid: number; command: string }[]
  signalAll(signal: NodeJS.Signals, which?: (command: string) => boolean): number
}

export interface ConfinedOptions {
  readonly name: string
  readonly tree: string
  /** Seen as `/srv` in the tree. */
  readonly data: string
  /** Runs as root in the tree, and starts the rest. */
  readonly script: string
  readonly logFile: string
  /** A machine has a network of its own; a program is on our loopback. */
  readonly hasNetwork?: boolean
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

const namespaceOf = (pid: number | 'self'): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined
  }
}

const childOf = (pid: number): number | undefined => {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return first ? Number(first) : undefined
  } catch {
    return undefined
  }
}

export async function startConfined(options: ConfinedOptions): Promise<Confined> {
  const { name, tree, data, script, logFile } = options
  const [program, ...args] = inTree(
    tree,
    ['chroot', tree, 'sh', '-c', script],
    `mount --bind ${data} ${tree}/srv`,
    // Without a network of its own it shares ours; with one, its loopback has to be switched on.
    options.hasNetwork ? `chroot ${tree} ip link set lo up` : ':',
  )
  const log = openSync(logFile, 'a')
  // Whoever made it dies: so does `unshare`, and with it the first process of the namespace, and with that one all others.
  const around = [
    '--pdeathsig',
    'KILL',
    'unshare',
    '--pid',
    '--fork',
    '--kill-child',
    ...(options.hasNetwork ? ['--net'] : []),
  ]
  const child: ChildProcess = spawn('setpriv', [...around, program, ...args], {
    stdio: ['ignore', log, log],
    detached: true,
  })
  const ended = once(child, 'exit')
  const isAlive = () => child.exitCode === null && child.signalCode === null
  let first: number | undefined
  while (first === undefined && isAlive()) {
    await sleep(5)
    first = child.pid === undefined ? undefined : childOf(child.pid)
  }
  if (first === undefined) throw new Error(`${name} did not start: ${logFile}`)
  const init = first
  const processes = () => {
    const own = namespaceOf(init)
    if (own === undefined || own === namespaceOf('self')) return []
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry) && namespaceOf(Number(entry)) === own)
      .map((entry) => ({ pid: Number(entry), command: commandOf(Number(entry)) }))
  }
  return {
    name,
    pid: () => init,
    isAlive,
    async kill9() {
      if (isAlive()) child.kill('SIGKILL')
      await ended
    },
    processes,
    signalAll(signal, which = () => true) {
      const chosen = processes().filter(({ command }) => which(command))
      for (const { pid } of chosen)
        try {
          process.kill(pid, signal)
        } catch {
          // It ended by itself meanwhile.
        }
      return chosen.length
    },
  }
}

/** Runs a command of the tree where a machine is; with none, here. */
export function inNetworkOf(
  tree: string,
  machine: Confined | undefined,
  command: readonly string[],
  input?: string,
): void {
  const enter = machine ? ['nsenter', '--target', String(machine.pid()), '--net'] : []
  // Only with /proc in the tree does `ip` know a machine by the number of its process.
  const [program = '', ...args] = [...enter, ...inTree(tree, ['chroot', tree, ...command])]
  const done = spawnSync(program, args, { input, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${command.join(' ')}: ${done.stderr}`)
}

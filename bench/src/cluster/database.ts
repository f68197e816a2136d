import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Confined, startConfined } from './confined.ts'
import { cutFromOthers, plugIn } from './network.ts'
import { configurations, MACHINES, type MachineName, NETWORK } from './places.ts'
import { fillTemplate } from './template.ts'
import { until } from './until.ts'

const PATRONI_PORT = 8_008
const START_MS = 120_000

export interface Secrets {
  readonly superuser: string
  readonly replicator: string
  readonly rewinder: string
  readonly service: string
  readonly peers: string
}

export interface Member {
  readonly name: MachineName
  readonly role: string
  readonly state: string
  readonly lag: number | string | undefined
}

export interface DatabaseMachines {
  /** What one of the machines says about all of them. */
  members(): Promise<Member[]>
  primary(): Promise<MachineName>
  /** A primary, a synchronous standby and one more, all at work. */
  whole(ms?: number): Promise<void>
  machine(name: MachineName): Confined
  /** As if its power failed. */
  killMachine(name: MachineName): Promise<void>
  startMachine(name: MachineName): Promise<void>
  /** PostgreSQL alone; Patroni lives. */
  killPostgres(name: MachineName): void
  /** Everything on the machine stands still, or goes on. */
  stopMachine(name: MachineName): void
  continueMachine(name: MachineName): void
  killEtcd(name: MachineName, isOff: boolean): void
  cut(name: MachineName): () => void
  /** Asks the primary to step down in favour of its standby. */
  switchOver(): Promise<void>
  /** Changes the settings that all machines share. */
  configure(settings: object): Promise<void>
  stop(): Promise<void>
}

/** A user of the tree, by its number there. */
export function userOf(tree: string, name: string): { uid: number; gid: number } {
  const line = readFileSync(join(tree, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (!uid || !gid) throw new Error(`the tree has no user ${name}`)
  return { uid: Number(uid), gid: Number(gid) }
}

/** Keeps both programs of a machine running, like any service manager does. */
const machineScript = (name: string): string => `
until ip -4 addr show eth0 2>/dev/null | grep -q inet; do sleep 0.05; done
as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
cd /srv/${name}
(while :; do [ -e etcd.off ] || as etcd --config-file /srv/${name}/etcd.yml; sleep 0.3; done) &
(while :; do as patroni /srv/${name}/patroni.yml; sleep 0.3; done) &
wait`

export async function startDatabaseMachines(parts: {
  readonly tree: string
  readonly data: string
  readonly secrets: Secrets
  readonly synchronousCommit?: 'on' | 'local'
}): Promise<DatabaseMachines> {
  const { tree, data, secrets, synchronousCommit = 'on' } = parts
  const { uid, gid } = userOf(tree, 'postgres')
  const running = new Map<MachineName, Confined>()

  function configure({ name, address }: (typeof MACHINES)[number]): void {
    const folder = join(data, name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const write = (file: string, values: Record<string, string>) => {
      const text = readFileSync(join(configurations, file), 'utf8')
      writeFileSync(join(folder, file), fillTemplate(text, { name, address, ...values }), { mode: 0o600 })
      chownSync(join(folder, file), uid, gid)
    }
    write('etcd.yml', { etcdPeers: MACHINES.map((one) => `${one.name}=http://${one.address}:2380`).join(',') })
    write('patroni.yml', {
      etcdHosts: MACHINES.map((one) => `'${one.address}:2379'`).join(', '),
      network: NETWORK.cidr,
      sharedBuffers: '128MB',
      synchronousCommit,
      superuserPassword: secrets.superuser,
      replicatorPassword: secrets.replicator,
      rewinderPassword: secrets.rewinder,
    })
    chownSync(folder, uid, gid)
  }

  async function startMachine(name: MachineName): Promise<void> {
    const place = MACHINES.find((one) => one.name === name)
    if (!place || running.get(name)?.isAlive()) return
    const logFile = join(data, `${name}.log`)
    const machine = await startConfined({ name, tree, data, script: machineScript(name), logFile, hasNetwork: true })
    running.set(name, machine)
    plugIn(tree, machine, place)
  }

  function machine(name: MachineName): Confined {
    const found = running.get(name)
    if (!found) throw new Error(`${name} does not run`)
    return found
  }

  async function ask(name: MachineName, path: string, options: RequestInit = {}): Promise<Response> {
    const address = MACHINES.find((one) => one.name === name)?.address
    return fetch(`http://${address}:${PATRONI_PORT}${path}`, { ...options, signal: AbortSignal.timeout(1_500) })
  }

  async function members(): Promise<Member[]> {
    const answers = MACHINES.map(async ({ name }) => {
      const answer = (await (await ask(name, '/cluster')).json()) as { members: Member[] }
      return answer.members
    })
    return Promise.any(answers)
  }

  /** Asked of each itself: after a failure the list in etcd is old for a while, and the old primary may still believe in itself. */
  async function primary(): Promise<MachineName> {
    const answers = await Promise.all(
      MACHINES.map(async ({ name }) => {
        const status = await ask(name, '/primary').then(
          (answer) => answer.status,
          () => 0,
        )
        return status === 200 ? name : undefined
      }),
    )
    const found = answers.find((name) => name !== undefined)
    if (!found) throw new Error('there is no primary')
    return found
  }

  async function whole(ms = START_MS): Promise<void> {
    await until('a primary and two standbys', ms, async () => {
      const all = await members()
      const leads = all.filter(({ role, state }) => role === 'leader' && state === 'running').length === 1
      const follow = all.filter(({ role, state }) => role !== 'leader' && state === 'streaming')
      const isSafe = follow.some(({ role }) => role === 'sync_standby')
      return leads && isSafe && follow.length === 2 ? true : undefined
    })
  }

  const archive = join(data, 'archive')
  mkdirSync(archive, { recursive: true })
  chownSync(archive, uid, gid)
  for (const place of MACHINES) configure(place)
  await Promise.all(MACHINES.map(({ name }) => startMachine(name)))

  return {
    members,
    primary,
    whole,
    machine,
    startMachine,
    killMachine: (name) => machine(name).kill9(),
    killPostgres(name) {
      // The one that has the others as its children is the first by its number.
      machine(name).signalAll('SIGKILL', (command) => command.includes('postgres -D'))
    },
    stopMachine: (name) => void machine(name).signalAll('SIGSTOP'),
    continueMachine: (name) => void machine(name).signalAll('SIGCONT'),
    killEtcd(name, isOff) {
      const off = join(data, name, 'etcd.off')
      if (isOff) writeFileSync(off, '')
      else rmSync(off, { force: true })
      if (isOff) machine(name).signalAll('SIGKILL', (command) => command.startsWith('etcd '))
    },
    cut: (name) => cutFromOthers(tree, machine(name)),
    async switchOver() {
      const leader = await primary()
      const candidate = (await members()).find(({ role }) => role === 'sync_standby')?.name
      const body = JSON.stringify({ leader, candidate })
      const answer = await fetch(
        `http://${MACHINES.find((one) => one.name === leader)?.address}:${PATRONI_PORT}/switchover`,
        { method: 'POST', body, signal: AbortSignal.timeout(30_000) },
      )
      if (!answer.ok) throw new Error(`no switchover: ${await answer.text()}`)
    },
    async configure(settings) {
      const answer = await ask(await primary(), '/config', { method: 'PATCH', body: JSON.stringify(settings) })
      if (!answer.ok) throw new Error(`not configured: ${await answer.text()}`)
      // Every machine looks once per turn.
      await sleep(5_000)
    },
    async stop() {
      await Promise.all([...running.values()].map((one) => one.kill9()))
    },
  }
}

import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Confined, startConfined } from './confined.ts'
import { cutFromOthers, plugIn } from './network.ts'
import {
  ALL_MACHINES,
  configurations,
  ETCD_MACHINES,
  MACHINES,
  type Machine,
  type MachineName,
  NETWORK,
} from './places.ts'
import { fillTemplate } from './template.ts'
import { until } from './until.ts'

const PATRONI_PORT = 8_008
const ETCD_PORT = 2_379
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
  /** What the primary says about all of them. */
  members(): Promise<Member[]>
  primary(): Promise<MachineName>
  etcdLeader(): Promise<MachineName>
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

/** Keeps the program of a machine running, like any service manager does. */
const machineScript = (name: string): string => `
until ip -4 addr show eth0 2>/dev/null | grep -q inet; do sleep 0.05; done
as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
cd /srv/${name}
while :; do
  if [ -e patroni.yml ]; then as patroni /srv/${name}/patroni.yml; else as etcd --config-file /srv/${name}/etcd.yml; fi
  sleep 0.3
done`

export async function startDatabaseMachines(parts: {
  readonly tree: string
  readonly data: string
  readonly secrets: Secrets
  readonly synchronousCommit?: 'on' | 'local'
}): Promise<DatabaseMachines> {
  const { tree, data, secrets, synchronousCommit = 'on' } = parts
  const { uid, gid } = userOf(tree, 'postgres')
  const running = new Map<MachineName, Confined>()

  function configure({ name, address }: Machine, file: string, values: Record<string, string>): void {
    const folder = join(data, name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const text = readFileSync(join(configurations, file), 'utf8')
    writeFileSync(join(folder, file), fillTemplate(text, { name, address, ...values }), { mode: 0o600 })
    for (const owned of [folder, join(folder, file)]) chownSync(owned, uid, gid)
  }

  async function startMachine(name: MachineName): Promise<void> {
    const place = ALL_MACHINES.find((one) => one.name === name)
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

  /** As the primary sees them: a machine that was cut off tells for a while what was true before. */
  async function members(): Promise<Member[]> {
    const answer = (await (await ask(await primary(), '/cluster')).json()) as { members: Member[] }
    return answer.members
  }

  async function etcdLeader(): Promise<MachineName> {
    const answers = ETCD_MACHINES.map(async ({ name, address }) => {
      const answer = await fetch(`http://${address}:${ETCD_PORT}/v3/maintenance/status`, {
        method: 'POST',
        body: '{}',
        signal: AbortSignal.timeout(1_500),
      })
      const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader: string }
      if (header.member_id !== leader) throw new Error(`${name} does not lead`)
      return name
    })
    return Promise.any(answers)
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
  const etcdPeers = ETCD_MACHINES.map((one) => `${one.name}=http://${one.address}:2380`).join(',')
  for (const place of ETCD_MACHINES) configure(place, 'etcd.yml', { etcdPeers })
  for (const place of MACHINES)
    configure(place, 'patroni.yml', {
      etcdHosts: ETCD_MACHINES.map((one) => `'${one.address}:2379'`).join(', '),
      network: NETWORK.cidr,
      sharedBuffers: '128MB',
      synchronousCommit,
      superuserPassword: secrets.superuser,
      replicatorPassword: secrets.replicator,
      rewinderPassword: secrets.rewinder,
    })
  await Promise.all(ALL_MACHINES.map(({ name }) => startMachine(name)))

  return {
    members,
    primary,
    etcdLeader,
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

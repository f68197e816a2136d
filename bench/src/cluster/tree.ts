import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** A newer Debian than most machines have: PostgreSQL 18, Patroni 4, PgBouncer with prepared statements. */
const SUITE = 'forky'
const PACKAGES = [
  'postgresql-18',
  'patroni',
  'python3-etcd',
  'etcd-server',
  'etcd-client',
  'haproxy',
  'pgbouncer',
  'valkey-server',
  'iproute2',
  'nftables',
]
/** What must run in the tree before it is used. */
const PROGRAMS: Record<string, string[]> = {
  postgres: ['/usr/lib/postgresql/18/bin/postgres', '--version'],
  pg_rewind: ['/usr/lib/postgresql/18/bin/pg_rewind', '--version'],
  patroni: ['/usr/bin/patroni', '--version'],
  etcd: ['/usr/bin/etcd', '--version'],
  haproxy: ['/usr/sbin/haproxy', '-v'],
  pgbouncer: ['/usr/sbin/pgbouncer', '--version'],
  valkey: ['/usr/bin/valkey-server', '--version'],
  ip: ['/usr/sbin/ip', '-V'],
  nft: ['/usr/sbin/nft', '--version'],
}
const SCRIPTS = '/usr/share/debootstrap/scripts'
/** Of the recipe: another one is another tree. */
const recipe = createHash('sha256')
  .update(JSON.stringify([SUITE, PACKAGES]))
  .digest('hex')
  .slice(0, 12)

export interface Tree {
  readonly folder: string
  /** What runs in it, by name. */
  readonly versions: Readonly<Record<string, string>>
}

/** One line that names what is missing and how to get it; undefined: all is there. */
export function missingForCluster(machine: {
  readonly platform: string
  readonly uid: number | undefined
  readonly has: (program: string) => boolean
}): string | undefined {
  if (machine.platform !== 'linux') return `Missing: linux, for its namespaces; this is ${machine.platform}.`
  if (machine.uid !== 0) return 'Missing: root. The cluster makes namespaces and a tree of Debian: sudo npm run cluster'
  const missing = ['debootstrap', 'unshare', 'nsenter', 'setpriv', 'chroot'].filter((program) => !machine.has(program))
  if (missing.length === 0) return undefined
  return `Missing: ${missing.join(', ')}. On Debian: apt-get install debootstrap util-linux`
}

interface Ran {
  readonly status: number
  readonly text: string
}

async function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(command, [...args], { env: { ...process.env, LC_ALL: 'C.UTF-8', ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status: status ?? 1, text }
}

/** Where this machine gets its own packages from; `CLUSTER_MIRROR` names another place. */
async function mirror(): Promise<string> {
  if (process.env.CLUSTER_MIRROR) return process.env.CLUSTER_MIRROR
  const format = '$(ORIGIN) $(LABEL) $(REPO_URI)'
  const { text } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  const [, uri] = /^Debian Debian (\S+)$/m.exec(text) ?? []
  if (!uri) throw new Error('no mirror of Debian is known here: run apt-get update once, or set CLUSTER_MIRROR')
  return uri
}

/** Runs a command in the tree with what programs expect around them; the mounts are gone with it. */
export const inTree = (
  tree: string,
  command: readonly string[],
  ...before: readonly string[]
): [string, ...string[]] => [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-ec',
  [
    `mount -t proc proc ${tree}/proc`,
    `mkdir -p ${tree}/dev/pts ${tree}/dev/shm`,
    `mount -t devpts -o newinstance,ptmxmode=666 devpts ${tree}/dev/pts`,
    `mount -t tmpfs -o mode=1777 tmpfs ${tree}/dev/shm`,
    ...before,
    'exec "$@"',
  ].join('\n'),
  'sh',
  ...command,
]

async function build(cache: string, folder: string, say: (line: string) => void): Promise<void> {
  const packages = join(cache, `packages-${recipe}`)
  const base = join(packages, 'base.tar.gz')
  const isKept = existsSync(join(packages, 'complete'))
  const log = join(cache, 'build.log')
  const step = async (says: string, [command, ...args]: readonly [string, ...string[]]) => {
    say(says)
    const { status, text } = await run(command, args, { DEBIAN_FRONTEND: 'noninteractive' })
    appendFileSync(log, `# ${command} ${args.join(' ')}\n${text}\n`)
    if (status !== 0) throw new Error(`${says}: failed. The log is ${log}; its end:\n${text.slice(-800)}`)
  }
  mkdirSync(join(packages, 'more'), { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  // Older debootstraps do not know the suite by name; all newer ones are made alike.
  const script = existsSync(join(SCRIPTS, SUITE)) ? join(SCRIPTS, SUITE) : join(SCRIPTS, 'sid')
  const from = isKept ? 'file:///nowhere' : await mirror()
  const bootstrap = ['--variant=minbase', SUITE]
  if (!existsSync(base)) {
    const scratch = `${folder}.base`
    rmSync(scratch, { recursive: true, force: true })
    await step('fetching a small Debian', [
      'debootstrap',
      `--make-tarball=${base}.part`,
      ...bootstrap,
      scratch,
      from,
      script,
    ])
    rmSync(scratch, { recursive: true, force: true })
    renameSync(`${base}.part`, base)
  }
  await step('unpacking it', ['debootstrap', `--unpack-tarball=${base}`, ...bootstrap, folder, from, script])
  // No package starts anything, and PostgreSQL makes no database of its own.
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  mkdirSync(join(folder, 'etc/postgresql-common'), { recursive: true })
  writeFileSync(join(folder, 'etc/postgresql-common/createcluster.conf'), 'create_main_cluster = false\n')
  const archives = join(folder, 'var/cache/apt/archives')
  const apt = (...args: string[]) =>
    inTree(folder, ['chroot', folder, 'apt-get', '-y', '--no-install-recommends', ...args])
  if (!isKept) {
    writeFileSync(join(folder, 'etc/apt/sources.list'), `deb ${from} ${SUITE} main\n`)
    // A mirror may stand still for weeks; what it has is signed all the same.
    await step('reading what there is', apt('-o', 'Acquire::Check-Valid-Until=false', 'update'))
    await step('fetching the engines', apt('install', '--download-only', ...PACKAGES))
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb')))
      cpSync(join(archives, name), join(packages, 'more', name))
    writeFileSync(join(packages, 'complete'), `${new Date().toISOString()}\n`)
  }
  // The suite moves on; what the tree was built from stays here, and builds it again without a network.
  const own = readdirSync(join(packages, 'more'))
  for (const name of own) cpSync(join(packages, 'more', name), join(archives, name))
  const files = own.map((name) => `/var/cache/apt/archives/${name}`)
  await step('installing the engines', apt('install', '--no-download', ...files))
  await step('tidying up', ['sh', '-c', `rm -f ${archives}/*.deb`])
  writeFileSync(join(folder, 'etc/tallystick-tree'), `${recipe}\n`)
}

async function versionsOf(folder: string): Promise<Record<string, string> | undefined> {
  const versions: Record<string, string> = {}
  for (const [name, command] of Object.entries(PROGRAMS)) {
    const [program, ...args] = inTree(folder, ['chroot', folder, ...command])
    const { status, text } = await run(program, args)
    if (status !== 0) return undefined
    versions[name] = /\d+(\.\d+)+\S*/.exec(text)?.[0] ?? '?'
  }
  return versions
}

/** The tree, built once, kept in the cache, and tried every time. */
export async function openTree(cache: string, say: (line: string) => void): Promise<Tree> {
  const folder = join(cache, `tree-${recipe}`)
  const mark = join(folder, 'etc/tallystick-tree')
  const isBuilt = existsSync(mark) && readFileSync(mark, 'utf8').trim() === recipe
  const known = isBuilt ? await versionsOf(folder) : undefined
  if (known) return { folder, versions: known }
  say(`building a tree of Debian ${SUITE} in ${folder}: two or three minutes, once`)
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  const making = `${folder}.new`
  await build(cache, making, say)
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
  const versions = await versionsOf(folder)
  if (!versions) throw new Error(`the tree in ${folder} was built, and its programs do not run`)
  return { folder, versions }
}

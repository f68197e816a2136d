import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** The configuration files, as they are documented. */
export const configurations = join(repository, 'ops/cluster')

/** Where the tree of Debian, its packages and what runs are kept. Users that may do nothing run in it: not in a home. */
export const cacheFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  env.CLUSTER_CACHE ?? '/var/cache/tallystick/cluster'

/** A network of its own between the machines of the database (the range is set aside for tests); everything else is on loopback. */
export const NETWORK = { bridge: 'tally0', cidr: '198.18.77.0/24', gateway: '198.18.77.1' } as const

export interface Machine {
  readonly name: string
  readonly address: string
  /** Of its cable, at the switch. */
  readonly link: string
}

const threeOf = (kind: string, firstAddress: number): readonly Machine[] =>
  [1, 2, 3].map((number) => ({
    name: `${kind}${number}`,
    address: `198.18.77.${firstAddress + number}`,
    link: `tally-${kind}${number}`,
  }))

/** Of the database. */
export const MACHINES = threeOf('db', 10)
/**
 * Of etcd, apart from the database: a primary that takes the leader of etcd with it costs longer, since a new leader gives every lease its
 * whole time again.
 */
export const ETCD_MACHINES = threeOf('etcd', 20)
export const ALL_MACHINES = [...MACHINES, ...ETCD_MACHINES]
export type MachineName = Machine['name']

export const PORTS = {
  api: 17_080,
  apis: [17_081, 17_082, 17_083],
  apiOps: [17_091, 17_092, 17_093],
  workerOps: [17_094, 17_095],
  figures: 17_000,
  primary: 17_432,
  replicas: 17_433,
  pooler: 17_632,
  limits: 17_379,
  chain: 17_545,
  rpc: 17_546,
  /** Of a database that was restored beside the others. */
  restored: 17_499,
  restoredOps: 17_099,
} as const

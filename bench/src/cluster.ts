import { ALL_MACHINES, ETCD_MACHINES, PORTS } from './cluster/places.ts'
import { type Cluster, startCluster } from './cluster/start-cluster.ts'

const rows = ({ apis, workers, database, tree, data, front, chain }: Cluster): string[][] => [
  ['the API, at one address', `127.0.0.1:${PORTS.api}`, 'HAProxy, to those that are ready'],
  ...apis.map((api) => [
    api.name,
    `${api.url?.slice(7)}, ops ${api.opsUrl.slice(7)}`,
    `kill -9 ${api.pid()}   kill -STOP ${api.pid()}`,
  ]),
  ...workers.map((worker) => [worker.name, `ops ${worker.opsUrl.slice(7)}`, `kill -9 ${worker.pid()}`]),
  ...ALL_MACHINES.map(({ name, address }) => [
    name,
    `${address}: ${ETCD_MACHINES.some((one) => one.name === name) ? 'etcd 2379' : 'PostgreSQL 5432, Patroni 8008'}`,
    `kill -9 ${database.machine(name).pid()} (all of it)   nsenter -t ${database.machine(name).pid()} -n chroot ${tree.folder} ip link set eth0 down`,
  ]),
  [
    'primary, replicas',
    `127.0.0.1:${PORTS.primary}, ${PORTS.replicas}`,
    `HAProxy; its figures: http://127.0.0.1:${PORTS.figures}`,
  ],
  ['PgBouncer, Valkey', `127.0.0.1:${PORTS.pooler}, ${PORTS.limits}`, 'their processes are below this one: pstree -p'],
  ['chain', `${front.url.slice(7)}, the node itself ${chain.port}`, `kill -STOP ${chain.pid}`],
  ['logs, configuration', data, 'gone when this ends'],
]

function print(table: readonly string[][]): void {
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const [part = '', place = '', how = ''] of table)
    console.log(`  ${part.padEnd(widths[0] ?? 0)}  ${place.padEnd(widths[1] ?? 0)}  ${how}`)
}

try {
  const begun = Date.now()
  const cluster = await startCluster({ say: (line) => console.log(line) })
  let isEnding = false
  const end = () => {
    if (!isEnding) void cluster.stop().then(() => process.exit(0))
    isEnding = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  const { versions } = cluster.tree
  console.log(
    `\nup after ${((Date.now() - begun) / 1000).toFixed(0)} s: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}\n`,
  )
  print([['part', 'where', 'how to break it'], ...rows(cluster)])
  console.log('\nEverything ends with this process: Ctrl-C. What it survives: npm run test:soak -- cluster')
} catch (error) {
  console.error((error as Error).message)
  // Whatever was started on the way must not keep a failed start alive.
  process.exit(1)
}

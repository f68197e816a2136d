import { createTestCluster, type TestCluster } from '@tallystick/testkit'
import postgres from 'postgres'

/** Orders are measured on a database that keeps them. What one keeps of its log is what the next ones are written over. */
const SETTINGS = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', min_wal_size: '1GB' }
const MEGABYTES = 800

/**
 * A database that has been in use. A new one makes each file of its log first, 16 MiB of zeros for which commits wait, until the first checkpoints
 * leave it some to write over; it would be measured in a state that it has for minutes of its life.
 */
export async function createDurableCluster(): Promise<TestCluster> {
  const cluster = await createTestCluster(SETTINGS)
  const superuser = postgres(cluster.superuserUrl, { max: 1 })
  await superuser`select count(pg_logical_emit_message(false, 'used', repeat('x', 1000000))) from generate_series(1, ${MEGABYTES}::int)`
  await superuser`checkpoint`
  await superuser.end()
  return cluster
}

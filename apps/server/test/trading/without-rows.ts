import { connectSuperuser } from '../superuser.ts'
import type { World } from '../world.ts'

/** Runs with nobody able to write the rows of an instance's groups; they follow when it is over. */
export async function withoutRows<T>({ databaseUrl }: World, laneId: string, work: () => Promise<T>): Promise<T> {
  const holder = connectSuperuser(databaseUrl)
  await holder`begin`
  await holder`select 1 from lane_projections where lane_id = ${laneId} for update`
  try {
    return await work()
  } finally {
    await holder.end()
  }
}

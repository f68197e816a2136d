import { setTimeout as sleep } from 'node:timers/promises'
import { connectChain } from '@tallystick/testkit'
import type { Sql } from 'postgres'

const CATCH_UP_MS = 20_000

/** Mines a block and waits until the worker has seen it; answers what is wrong, or undefined. */
export async function followerFault(sql: Sql, rpcUrl: string): Promise<string | undefined> {
  const { testClient, publicClient, chainId } = connectChain(rpcUrl)
  await testClient.mine({ blocks: 1 })
  const head = await publicClient.getBlock()
  const deadline = Date.now() + CATCH_UP_MS
  while (Date.now() < deadline) {
    const [row] = await sql<
      { hash: string }[]
    >`select block_hash as hash from chain_cursors where chain_id = ${chainId}`
    if (row?.hash === head.hash) return undefined
    await sleep(50)
  }
  return `the worker has not reached block ${head.number} after ${CATCH_UP_MS} ms`
}

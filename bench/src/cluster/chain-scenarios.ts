import { setTimeout as sleep } from 'node:timers/promises'
import { connectChain } from '@tallystick/testkit'
import postgres from 'postgres'
import type { Manner } from './chain-front.ts'
import type { Figures, Scenario, Stage } from './scenario.ts'
import { until } from './until.ts'

const FORK_DEPTH = 3

/** The node behaves so for a while, blocks go on, and orders, which need no chain, do too. */
async function misbehave({ cluster, load, seconds }: Stage, manner: Manner): Promise<Figures> {
  const { testClient } = connectChain(cluster.chain.url)
  const at = Date.now()
  cluster.front.manner = manner
  for (const until = at + seconds * 1000; Date.now() < until; await sleep(500)) await testClient.mine({ blocks: 1 })
  cluster.front.manner = 'well'
  return { orderGapMs: load.longestGap(at) }
}

/** A deposit is proven, and then the chain takes another way: the record follows, and the pool is what it was. */
async function undoDeposit({ cluster, load }: Stage): Promise<Figures> {
  const { testClient } = connectChain(cluster.chain.url)
  const sql = postgres(cluster.urls.superuser, { max: 1, onnotice: () => undefined, fetch_types: false })
  const standing = async (hash: string) => (await sql`select from chain_live_facts where tx_hash = ${hash}`).length
  await load.pause()
  try {
    const before = await load.confirms.shares()
    const id = await testClient.snapshot()
    const hash = await load.confirms.depositOnce()
    await testClient.mine({ blocks: FORK_DEPTH - 1 })
    // Until the follower has them.
    await sleep(3_000)
    if ((await standing(hash)) === 0) throw new Error('a deposit that was confirmed does not stand in the record')
    if ((await load.confirms.shares()) === before) throw new Error('a deposit that was confirmed bought no shares')
    await testClient.revert({ id })
    await testClient.mine({ blocks: FORK_DEPTH + 1, interval: 2 })
    const at = Date.now()
    await until('the deposit is undone', 30_000, async () => ((await standing(hash)) === 0 ? true : undefined))
    const undoneMs = Date.now() - at
    const [told] = await sql`select from chain_notices where tx_hash = ${hash} and kind = 'FACT_ORPHANED'`
    if (!told) throw new Error('nobody was told that the deposit is undone')
    const after = await load.confirms.shares()
    if (after !== before) throw new Error(`the pool had ${before} shares of the depositor, and has ${after}`)
    return { undoneMs }
  } finally {
    load.resume()
    await sql.end({ timeout: 5 })
  }
}

const manner = (name: Manner, says: string): Scenario => ({
  says,
  bars: { orderGapMs: 2_000 },
  times: 1,
  run: (stage) => misbehave({ ...stage, seconds: Math.min(stage.seconds, 15) }, name),
})

export const chainScenarios: Record<string, Scenario> = {
  'chain-lags': manner('lags', 'the node is five seconds late with everything'),
  'chain-other-height': manner('other-height', 'the node tells new blocks at once and answers from old ones'),
  'chain-drops': manner('drops', 'the node drops every other request'),
  'chain-429': manner('too-many', 'the node answers every other request with 429'),
  'chain-gone': {
    says: 'the node is gone; orders of off-chain books go on',
    bars: { orderGapMs: 2_000 },
    times: 1,
    run: (stage) => misbehave(stage, 'gone'),
  },
  'chain-fork': {
    says: 'three blocks are undone with a deposit that was confirmed, and others take their places',
    bars: { undoneMs: 10_000 },
    times: 1,
    run: undoDeposit,
  },
}

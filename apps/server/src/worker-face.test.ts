import { connectChain } from '@tallystick/testkit'
import { expect, inject, it } from 'vitest'
import { createChain } from './platform/chain/chain.ts'
import { createRpc } from './platform/chain/rpc.ts'
import { systemClock } from './platform/clock.ts'
import { createMetrics } from './platform/metrics.ts'
import { createFollowing, startSurveyJob } from './worker-face.ts'

const chain = () =>
  createChain(31_337, createRpc([connectChain(inject('rpcUrl')).url], { timeoutMs: 5_000, clock: systemClock }))

it('a worker is not ready once it has not looked at a chain for a minute', async () => {
  const served = chain()
  let now = 0
  const { looked, readiness } = createFollowing([served], { clock: { now: () => new Date(now) } })
  const state = () => readiness[0]?.check()
  expect(readiness[0]?.part).toBe('following chain 31337')
  now = 60_000
  expect(await state()).toBeUndefined()
  now = 61_000
  expect(await state()).toBe('no look for 61 s')
  looked(31_337)
  expect(await state()).toBeUndefined()
  await served.rpc.close()
})

it('the nodes of a chain are counted although nobody asks whether the process is ready', async () => {
  const served = chain()
  const metrics = createMetrics()
  const job = startSurveyJob(served, metrics)
  await expect.poll(() => metrics.registry.metrics()).toContain('tally_chain_nodes_reachable{chain="31337"} 1')
  expect(await metrics.registry.metrics()).toContain('tally_chain_nodes_disagree{chain="31337"} 0')
  await job.stop()
  await served.rpc.close()
})

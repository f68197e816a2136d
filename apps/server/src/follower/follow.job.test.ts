import { type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNotaryWorld, logsOf, type NotaryWorld } from '../../test/notary-world.ts'
import { createLog } from '../platform/log.ts'
import { startFollowJob } from './follow.job.ts'
import type { PassReport } from './follower.service.ts'

describe('the job that follows a chain', () => {
  let world: NotaryWorld
  let proxy: TcpProxy

  beforeAll(async () => {
    world = await createNotaryWorld({
      rpcUrls: async (node) => {
        proxy = await tcpProxy(node.url)
        return [proxy.url]
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  it('goes on after a failed pass, catches up without a pause, and stops when told', async () => {
    const follower = world.createFollower({ blocksPerPass: 5n })
    await world.confirm(await world.note())
    await follower.pass(world.served)
    const note = await world.note()
    await world.node.testClient.mine({ blocks: 20 })
    await proxy.cut()
    const reports: PassReport[] = []
    let failed = () => {}
    let caughtUp = () => {}
    const failure = new Promise<void>((resolve) => {
      failed = resolve
    })
    const success = new Promise<void>((resolve) => {
      caughtUp = resolve
    })
    const job = startFollowJob({
      chain: world.served,
      follower,
      intervalMs: 10,
      log: createLog({ level: 'silent' }),
      onError: failed,
      onPass: (chainId, report) => {
        expect(chainId).toBe(31337)
        reports.push(report)
        if (report.followedTo === report.head) caughtUp()
      },
    })
    await failure
    await proxy.restore()
    await success
    await job.stop()
    expect(reports.length).toBeGreaterThan(3)
    expect(await logsOf(world.superuser, note.txHash)).toHaveLength(1)
  })
})

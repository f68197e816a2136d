import { startTestChain } from '@tallystick/testkit'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { chainRows, createNotaryWorld, type NotaryWorld, type Note, noticesOf } from '../../test/notary-world.ts'
import { connectChains } from '../platform/chain/chains.ts'
import { ForeignChainError } from './follower.service.ts'

describe('a chain with another genesis than the one on record', () => {
  let world: NotaryWorld
  let kept: Note

  beforeEach(async () => {
    world = await createNotaryWorld()
    kept = await world.note()
    expect((await world.confirm(kept)).status).toBe(200)
    await world.follower.pass(world.served)
  })
  afterEach(() => world.close())

  it('is refused as a wrong node, and undoes nothing', async () => {
    const before = await chainRows(world.superuser)
    await expect(world.follower.pass(await foreignChain())).rejects.toThrow(ForeignChainError)
    expect(await chainRows(world.superuser)).toEqual(before)
  })

  it('undoes everything where the chain belongs to this machine, and goes on from there', async () => {
    const chain = await foreignChain()
    const follower = world.createFollower({ mayStartOver: true })
    expect(await follower.pass(chain)).toMatchObject({ orphanedFacts: 1 })
    expect(await world.recorded()).toEqual([])
    expect(await noticesOf(world.superuser, kept.txHash)).toEqual(['FACT_ORPHANED'])
    expect(await follower.pass(chain)).toMatchObject({ orphanedFacts: 0 })
    await expect(world.follower.pass(world.served)).rejects.toThrow(ForeignChainError)
  })

  async function foreignChain() {
    const node = await startTestChain({ now: () => new Date(Date.now() + 86_400_000) })
    const chains = await connectChains([{ chainId: undefined, urls: [node.url] }], {
      timeoutMs: 5_000,
      clock: world.clock,
    })
    onTestFinished(async () => {
      await chains.close()
      await node.stop()
    })
    return chains.get(31337)
  }
})

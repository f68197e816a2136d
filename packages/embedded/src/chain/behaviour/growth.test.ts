import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { clientOf, installedEngines, pay, received } from '../../../test/chain-scenario.ts'
import { kill9, openFolder, startInChild, stopAfterTest } from '../../../test/scenario.ts'
import { isChainNode, processCommand, stopAbandonedChains } from '../../index.ts'
import { engineCalled } from '../engines.ts'
import { canonicalFolder, startChainOn } from '../start-chain.ts'

describe.each(installedEngines)('a node that has outgrown its bounds on %s', (engine) => {
  it('is replaced on the same port by one that goes on, and its end is not called unexpected', async () => {
    let outgrown = false
    // Said once: asked again before the test could take it back, the node would be replaced a second time.
    const growing = {
      ...engineCalled(engine),
      hasOutgrown() {
        const answer = outgrown
        outgrown = false
        return answer
      },
    }
    const folder = canonicalFolder(join(openFolder(), 'chain'))
    const node = stopAfterTest(await startChainOn(growing, { folder, now: () => new Date() }, 20))
    let ended = false
    void node.exited.then(() => {
      ended = true
    })
    await pay(node)
    const before = await clientOf(node).getBlock()
    const { pid, url } = node
    outgrown = true
    while (node.pid === pid) await sleep(20)
    while (
      (await clientOf(node)
        .getBlockNumber()
        .catch(() => -1n)) < 0n
    )
      await sleep(20)
    expect(node.url).toBe(url)
    expect(await clientOf(node).getBlock()).toMatchObject({ number: before.number, hash: before.hash })
    await pay(node)
    expect(await received(node)).toBe(parseEther('2'))
    expect(ended).toBe(false)
    node.kill9()
    await node.exited
    expect(ended).toBe(true)
  })
})

describe.each(installedEngines)('a chain in memory on %s', (engine) => {
  it('ends when whoever started it has been killed', async () => {
    const { child, reported } = await startInChild(engine, '', 'wait')
    await pay(reported)
    expect(isChainNode(processCommand(reported.pid))).toBe(true)
    await kill9(child)
    // Our own node sees it by itself, another one is ended by whoever starts the next.
    if (engine !== 'edr') await stopAbandonedChains()
    await expect.poll(() => processCommand(reported.pid)).toBeUndefined()
  })
})

import type { Hex } from 'viem'
import { startTestChain, type TestChain } from './test-chain.ts'

interface Prepared {
  readonly state: Hex
  readonly made: unknown
}

const known = new Map<string, Prepared>()

/**
 * A chain of its own on which something stands already. A process puts it there once, transaction by transaction; every later chain goes
 * on from a copy of that state, which takes a fraction of the time.
 */
export async function startPreparedChain<Made>(
  name: string,
  prepare: (chain: TestChain) => Promise<Made>,
): Promise<{ node: TestChain; made: Made }> {
  const node = await startTestChain()
  try {
    const prepared = known.get(name)
    // The other engine takes no state from outside.
    if (!prepared || node.engine !== 'anvil') return { node, made: await remember(name, node, prepare) }
    await node.testClient.loadState({ state: prepared.state })
    return { node, made: structuredClone(prepared.made) as Made }
  } catch (error) {
    await node.stop()
    throw error
  }
}

async function remember<Made>(
  name: string,
  node: TestChain,
  prepare: (chain: TestChain) => Promise<Made>,
): Promise<Made> {
  const made = await prepare(node)
  if (node.engine === 'anvil')
    known.set(name, { state: await node.testClient.dumpState(), made: structuredClone(made) })
  return made
}

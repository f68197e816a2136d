import type { Hex } from 'viem'
import { startTestChain, type TestChain } from './test-chain.ts'

interface Prepared {
  readonly state: Hex
  readonly made: unknown
}

/** One that nobody uses now, and how it looked when it was prepared. */
interface Kept {
  readonly node: TestChain
  readonly made: unknown
  readonly snapshot: Hex
}

const known = new Map<string, Prepared>()
const kept = new Map<string, Kept[]>()

/**
 * A chain of its own on which something stands already. A process puts it there once, transaction by transaction; what comes later goes
 * on from there, which takes a fraction of the time. anvil takes the state as a file; our own node takes none, so one that was given back
 * is put back to where it was.
 */
export async function startPreparedChain<Made>(
  name: string,
  prepare: (chain: TestChain) => Promise<Made>,
): Promise<{ node: TestChain; made: Made }> {
  const again = await takeKept(name)
  if (again) return again as { node: TestChain; made: Made }
  const node = await startTestChain()
  try {
    if (node.engine === 'edr') return await lend(name, node, await prepare(node))
    const prepared = known.get(name)
    if (!prepared) return { node, made: await remember(name, node, prepare) }
    await node.testClient.loadState({ state: prepared.state })
    return { node, made: structuredClone(prepared.made) as Made }
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** A chain of its own with nothing on it. Where a node takes long to start, it is one that somebody gave back by stopping it. */
export const startEmptyChain = async (): Promise<TestChain> =>
  (await startPreparedChain('nothing', async () => undefined)).node

async function remember<Made>(
  name: string,
  node: TestChain,
  prepare: (chain: TestChain) => Promise<Made>,
): Promise<Made> {
  const made = await prepare(node)
  known.set(name, { state: await node.testClient.dumpState(), made: structuredClone(made) })
  return made
}

/** For one user, who gives it back instead of stopping it. One that was killed does not come back. */
async function lend<Made>(name: string, node: TestChain, made: Made): Promise<{ node: TestChain; made: Made }> {
  const snapshot = await node.testClient.snapshot()
  const unused = structuredClone(made)
  let isKilled = false
  const lent: TestChain = {
    ...node,
    async stop() {
      if (isKilled) await node.stop()
      else kept.set(name, [...(kept.get(name) ?? []), { node, made: unused, snapshot }])
    },
    kill9() {
      isKilled = true
      node.kill9()
    },
  }
  return { node: lent, made }
}

async function takeKept(name: string): Promise<{ node: TestChain; made: unknown } | undefined> {
  for (let one = kept.get(name)?.pop(); one; one = kept.get(name)?.pop()) {
    if (await isAsPrepared(one)) return lend(name, one.node, one.made)
    await one.node.stop()
  }
  return undefined
}

/** Not when its user went back behind the preparation, or stopped it by other means. */
async function isAsPrepared({ node: { testClient }, snapshot }: Kept): Promise<boolean> {
  const ask = (method: string, params: unknown[] = []): Promise<unknown> =>
    testClient.request({ method, params } as unknown as Parameters<typeof testClient.request>[0])
  try {
    await ask('anvil_dropAllTransactions')
    await ask('evm_setAutomine', [true])
    return (await ask('evm_revert', [snapshot])) === true
  } catch {
    return false
  }
}

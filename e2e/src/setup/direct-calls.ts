import type { Address, Hex, Wallet } from '@tallystick/sdk'
import type { Demo } from '../demo/demo.ts'

/** Sends what no service builds: the business of those who made a token. In order, each mined before the next. */
export async function sendDirectly(
  { chain }: Demo,
  wallet: Wallet,
  calls: ReadonlyArray<{ to?: Address; data: Hex }>,
): Promise<(Address | null)[]> {
  const created: (Address | null)[] = []
  for (const call of calls) {
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    const { status, contractAddress } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`a transaction of the demo failed: ${hash}`)
    created.push(contractAddress ?? null)
  }
  return created
}

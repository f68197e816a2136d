import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { send, type TestChain, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseUnits } from 'viem'
import { abis } from '../../apps/server/src/lending/contracts.ts'
import { call } from './call.ts'
import { startFollowing } from './following.ts'
import { marketsPath } from './lending-market.ts'
import type { BenchWorld } from './world.ts'

const owner = wallet(0)
export const borrowers = Array.from({ length: 8 }, (_, index) => wallet(index + 1))
const GAS = 900_000
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

/** Many transactions in few blocks: the node signs for its own accounts, and mines when it is told to. */
async function sendMany(
  chain: TestChain,
  calls: readonly { from: Address; to: Address; data: Hex; nonce: number }[],
): Promise<void> {
  const { testClient, publicClient } = chain
  await testClient.setAutomine(false)
  try {
    await call(chain.url, {
      body: calls.map(({ nonce, ...rest }, id) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_sendTransaction' },
        params: [{ ...rest, nonce: numberToHex(nonce), gas: numberToHex(GAS) }],
      })),
    })
    for (let last = -1; ; ) {
      await testClient.mine({ blocks: 1 })
      const { transactions } = await publicClient.getBlock()
      if (transactions.length === 0 && last === 0) break
      last = transactions.length
    }
  } finally {
    await testClient.setAutomine(true)
  }
}

/** Lets everybody of the token's side in, fills the pool, and gives each borrower collateral for its loans. */
async function prepare(chain: TestChain, market: Address, each: number): Promise<void> {
  const on = (address: Address, abi: readonly unknown[], functionName: string, args: readonly unknown[]) =>
    send(chain, { address, abi, functionName, args, account: owner })
  const { asset, collateralToken, adapter } = await chain.publicClient.readContract({
    address: market,
    abi: abis.market,
    functionName: 'parts',
  })
  const registry = await chain.publicClient.readContract({
    address: collateralToken,
    abi: demoSecurityAbi,
    functionName: 'identityRegistry',
  })
  for (const agent of [owner.address, adapter]) await on(collateralToken, demoSecurityAbi, 'addAgent', [agent])
  await on(registry, demoIdentityRegistryAbi, 'addAgent', [owner.address])
  const pool = parseUnits('10000000', 6)
  await on(asset, demoCashAbi, 'mint', [owner.address, pool])
  await on(asset, demoCashAbi, 'approve', [market, pool])
  await on(market, abis.market, 'addLiquidity', [pool])
  for (const { address } of borrowers) {
    await on(registry, demoIdentityRegistryAbi, 'registerIdentity', [address, address, 276])
    await on(collateralToken, demoSecurityAbi, 'mint', [address, parseUnits(String(10 * each), 18)])
  }
}

/** Opens loans on a market, and lets the record take them down. Answers who borrowed. */
export async function openLoans(world: BenchWorld, product: string, marketId: string, count: number) {
  const { chain, lender } = world
  const headers = { 'x-api-key': lender.apiKey }
  const market = await call<{ data: { marketAddress: Address } }>(`${product}${marketsPath}/${marketId}`, {
    method: 'GET',
    headers,
  })
  const { marketAddress } = market.data
  const each = Math.ceil(count / borrowers.length)
  const following = await startFollowing(world)
  await prepare(chain, marketAddress, each)
  const data = encodeFunctionData({
    abi: abis.market,
    functionName: 'openLoan',
    args: [parseUnits('10', 18), parseUnits('500', 6), noPrice],
  })
  const nonces = await Promise.all(borrowers.map(({ address }) => chain.publicClient.getTransactionCount({ address })))
  const calls = borrowers.flatMap(({ address: from }, index) =>
    Array.from({ length: each }, (_, turn) => ({ from, to: marketAddress, data, nonce: (nonces[index] ?? 0) + turn })),
  )
  await sendMany(chain, calls.slice(0, count))
  await following.finish()
  return { borrowers: borrowers.map(({ address }) => address) }
}

import { type Address, type Hex, hexToBigInt, numberToHex } from 'viem'
import type { Chain } from './chain.ts'

/** Null: the node does not keep that block's state. */
async function readCountAt(chain: Chain, address: Address, height: bigint): Promise<bigint | null> {
  const [answer] = await chain.rpc.batch([
    { method: 'eth_getTransactionCount', params: [address, numberToHex(height)] },
  ])
  return answer?.ok && typeof answer.value === 'string' ? hexToBigInt(answer.value as Hex) : null
}

/** The block in which a nonce was used, which is used at `height`. Null: the node does not tell. */
async function findBlockOf(chain: Chain, address: Address, nonce: bigint, height: bigint): Promise<bigint | null> {
  let [used, unused] = [height, height]
  // Back in growing steps: it was used not long ago, and nodes forget the states of old blocks.
  for (let step = 1n; unused > 0n; step *= 2n) {
    unused = unused > step ? unused - step : 0n
    const count = await readCountAt(chain, address, unused)
    if (count === null) return null
    if (count <= nonce) break
    used = unused
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    const count = await readCountAt(chain, address, middle)
    if (count === null) return null
    if (count > nonce) used = middle
    else unused = middle
  }
  return used
}

interface RawBlock {
  transactions: { hash: Hex; from: Address; nonce: Hex }[]
}

/**
 * Which transactions used these nonces, by the nonce: found in their blocks, and only in final ones. Those that are not found are
 * missing: where answers contradict each other the search ends at a block that does not hold them.
 */
export async function readTakers(
  chain: Chain,
  address: Address,
  nonces: readonly bigint[],
  finalHeight: bigint,
): Promise<ReadonlyMap<bigint, Hex>> {
  const takers = new Map<bigint, Hex>()
  if (nonces.length === 0 || finalHeight < 0n) return takers
  const usedFinally = (await readCountAt(chain, address, finalHeight)) ?? 0n
  for (const nonce of nonces.filter((one) => one < usedFinally)) {
    const height = await findBlockOf(chain, address, nonce, finalHeight)
    if (height === null) continue
    const [answer] = await chain.rpc.batch([{ method: 'eth_getBlockByNumber', params: [numberToHex(height), true] }])
    const block = answer?.ok ? (answer.value as RawBlock | null) : null
    const taker = block?.transactions.find(
      (one) => one.from.toLowerCase() === address && hexToBigInt(one.nonce) === nonce,
    )
    if (taker) takers.set(nonce, taker.hash)
  }
  return takers
}

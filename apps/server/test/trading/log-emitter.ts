import { deploy, type TestChain } from '@tallystick/testkit'
import { type Address, concat, type Hex } from 'viem'

/**
 * A contract that emits whatever it is told to: four topics, then the data. `log4(0, calldatasize - 128, ...)` after copying what stands
 * behind the topics.
 */
const BYTECODE: Hex = '0x601b8060093d393df360803603806080600037606035604035602035600035846000a400'

export async function deployLogEmitter(node: TestChain): Promise<Address> {
  return deploy(node, { abi: [], bytecode: BYTECODE })
}

/** The call that makes it repeat a log of somebody else. */
export const repeatLog = (to: Address, { topics, data }: { topics: readonly Hex[]; data: Hex }) => ({
  to,
  data: concat([...topics, data]),
})

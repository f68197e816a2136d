import { readFileSync } from 'node:fs'
import { deploy, type TestChain } from '@tallystick/testkit'
import { type Address, type Hex, pad } from 'viem'

interface Released {
  readonly module: Address
  readonly VaultModule: Hex
  readonly TradingVault: Hex
}

const FILE = new URL('../../../../contracts/test/fixtures/trading/first-generation.json', import.meta.url)
/** Where a proxy keeps the address of what it runs (ERC-1967). */
const IMPLEMENTATION = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** Has a vault run the code of version 1, as released. What version 2 wrote down since, version 1 does not look at. */
export async function runVersion1(node: TestChain, vault: Address): Promise<void> {
  const released = JSON.parse(readFileSync(FILE, 'utf8')) as Released
  const module = await deploy(node, { abi: [], bytecode: released.VaultModule })
  const code = await node.publicClient.getCode({ address: module })
  if (!code) throw new Error('the library was not deployed')
  // The released code names its library by an address.
  await node.testClient.setCode({ address: released.module, bytecode: code })
  const implementation = await deploy(node, { abi: [], bytecode: released.TradingVault })
  await node.testClient.setStorageAt({ address: vault, index: IMPLEMENTATION, value: pad(implementation) })
}

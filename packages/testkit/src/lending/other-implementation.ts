import { type Address, concatHex, type Hex, toFunctionSelector, toHex } from 'viem'
import type { ChainClients } from '../chain/test-chain.ts'
import { deploy } from '../chain/transactions.ts'

// Answers `version()` with its version and every other call with the address of its factory.
const runtime = (factory: Address, version: number): Hex =>
  concatHex([
    '0x5f3560e01c63',
    toFunctionSelector('version()'),
    '0x1460295773',
    factory,
    '0x5f5260205ff35b60',
    toHex(version, { size: 1 }),
    '0x5f5260205ff3',
  ])

const copyOut: Hex = '0x60328060095f395ff3'

/** The least that a factory accepts as an implementation: it tells a version below 256 and the factory it belongs to. */
export function deployOtherImplementation(
  chain: ChainClients,
  { factory, version }: { factory: Address; version: number },
): Promise<Address> {
  return deploy(chain, { abi: [], bytecode: concatHex([copyOut, runtime(factory, version)]) })
}

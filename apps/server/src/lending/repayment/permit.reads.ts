import { type Address, erc20Abi, parseAbi } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import type { Market } from '../core/index.rules.ts'

const permitAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address) view returns (uint256)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

/** What the borrow asset says about permits of a payer. */
export function permitReads({ borrowAsset, address }: Market, payer: Address) {
  return {
    separator: contractRead(borrowAsset, permitAbi, 'DOMAIN_SEPARATOR', []),
    nonce: contractRead(borrowAsset, permitAbi, 'nonces', [payer]),
    form: contractRead(borrowAsset, permitAbi, 'PERMIT_TYPEHASH', []),
    name: contractRead(borrowAsset, permitAbi, 'name', []),
    version: contractRead(borrowAsset, permitAbi, 'version', []),
    described: contractRead(borrowAsset, permitAbi, 'eip712Domain', []),
    allowance: contractRead(borrowAsset, erc20Abi, 'allowance', [payer, address]),
  } as const
}

export type PermitResults = NamedResults<ReturnType<typeof permitReads>>

import { type Address, erc20Abi, parseAbi } from 'viem'
import { contractRead } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { isContractAddress, type TokenVoice } from './token-rules.rules.ts'

/** What tokens are asked, in the dialects they speak. None has to know all of it. */
const dialects = parseAbi([
  'function canTransfer(address from, address to, uint256 amount) view returns (uint8 code, string rule)',
  'function detectTransferRestriction(address from, address to, uint256 amount) view returns (uint8)',
  'function identityRegistry() view returns (address)',
  'function compliance() view returns (address)',
  'function splitRatio() view returns (uint256 numerator, uint256 denominator)',
  'function isin() view returns (string)',
  'function owner() view returns (address)',
])

/** How many decimals a token has, and how it says who may hold it. */
export const voiceReads = (token: Address) => ({
  decimals: contractRead(token, erc20Abi, 'decimals', []),
  ownRule: contractRead(token, dialects, 'canTransfer', [token, token, 0n]),
  restriction: contractRead(token, dialects, 'detectTransferRestriction', [token, token, 0n]),
  registry: contractRead(token, dialects, 'identityRegistry', []),
  compliance: contractRead(token, dialects, 'compliance', []),
  splitRatio: contractRead(token, dialects, 'splitRatio', []),
})

export const symbolRead = (token: Address) => contractRead(token, erc20Abi, 'symbol', [])
export const decimalsRead = (token: Address) => contractRead(token, erc20Abi, 'decimals', [])
export const isinRead = (token: Address) => contractRead(token, dialects, 'isin', [])
export const ownerRead = (token: Address) => contractRead(token, dialects, 'owner', [])

export function voiceOf(results: NamedResults<ReturnType<typeof voiceReads>>): TokenVoice {
  const { decimals, ownRule, restriction, registry, compliance, splitRatio } = results
  return {
    decimals: decimals.ok ? decimals.value : null,
    speaksForItself: ownRule.ok,
    speaks1404: restriction.ok,
    hasRegistry:
      registry.ok && isContractAddress(registry.value) && compliance.ok && isContractAddress(compliance.value),
    splits: splitRatio.ok,
  }
}

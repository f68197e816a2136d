import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import { type Abi, parseAbi } from 'viem'
import type { CallKinds } from '../platform/chain/call-pair.ts'
import { eventKinds } from '../platform/chain/event-facts.ts'

/** The kinds of contracts that settle trades. A fact is called `<kind>.<event>`. */
export const abis = {
  tradingVault: tradingVaultAbi,
  signedOrderSettlement: signedOrderSettlementAbi,
} as const satisfies Record<string, Abi>

/** What the generation before says in other words: a prefix for the token alone. */
export const earlierAbi = parseAbi([
  'function saltPrefix(address token) view returns (bytes4)',
  'error SaltPrefixMismatch(bytes32 orderHash, bytes4 expected)',
])

/** Every event of these contracts, for the follower. */
export const tradingKinds: CallKinds = eventKinds(abis)

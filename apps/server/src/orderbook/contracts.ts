import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import { type Abi, parseAbi } from 'viem'
import type { CallKinds } from '../platform/chain/call-pair.ts'
import { eventKinds } from '../platform/chain/event-facts.ts'

/** The kinds of contracts that settle trades. A fact is called `<kind>.<event>`. */
export const abis = {
  tradingVault: tradingVaultAbi,
  signedOrderSettlement: signedOrderSettlementAbi,
} as const satisfies Record<string, Abi>

/** Contracts of the generation before ask for a prefix for the token alone. */
export const earlierSaltPrefixAbi = parseAbi(['function saltPrefix(address token) view returns (bytes4)'])

/** Every event of these contracts, for the follower. */
export const tradingKinds: CallKinds = eventKinds(abis)

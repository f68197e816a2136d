import type { Address, Hex } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'
import type { InvestorInput } from '../values/index.rules.ts'

const kind = 'identityRegistry'
const abi = abis.identityRegistry

export interface OfWallet {
  readonly wallet: Address
}
export interface OfSlot extends OfWallet {
  readonly slot: number
}
type Verification = OfWallet & InvestorInput

const argsOf = ({ wallet, kycHash, investorType, softExpiry, hardExpiry, country }: Verification) => [
  wallet,
  kycHash,
  investorType,
  BigInt(softExpiry),
  BigInt(hardExpiry),
  country.numeric,
]

export const verifyCall = contractCall<Verification, OfWallet>({
  kind,
  abi,
  functionName: 'verifyIdentity',
  eventName: 'IdentityVerified',
  args: argsOf,
  isFor: ({ user }, { wallet }) => user === wallet,
})

export const updateCall = contractCall<Verification, OfWallet>({
  kind,
  abi,
  functionName: 'updateIdentity',
  eventName: 'IdentityUpdated',
  args: argsOf,
  isFor: ({ user }, { wallet }) => user === wallet,
})

/** Called directly, the wallets must be these, in this order; a wrapper shows only those that were verified. */
export const batchVerifyCall = contractCall<readonly Verification[], { wallets: readonly Address[] }>({
  kind,
  abi,
  functionName: 'batchVerifyIdentities',
  eventName: 'BatchVerified',
  args: (entries) => [
    entries.map(({ wallet, country, softExpiry, hardExpiry, ...entry }) => ({
      ...entry,
      user: wallet,
      softExpiry: BigInt(softExpiry),
      hardExpiry: BigInt(hardExpiry),
      country: country.numeric,
    })),
  ],
  isCallFor: ([entries], { wallets }) =>
    (entries as { user: Address }[]).map(({ user }) => user.toLowerCase()).join() === wallets.join(),
  isFor: () => true,
})

export const revokeIdentityCall = contractCall<OfWallet, OfWallet>({
  kind,
  abi,
  functionName: 'revokeIdentity',
  eventName: 'IdentityRevoked',
  args: ({ wallet }) => [wallet],
  isFor: ({ user }, { wallet }) => user === wallet,
})

const isSlotOf = (effect: { user?: unknown; claimType?: unknown }, { wallet, slot }: OfSlot) =>
  effect.user === wallet && effect.claimType === slot

export const addClaimCall = contractCall<OfSlot & { dataHash: Hex; expiry: number }, OfSlot>({
  kind,
  abi,
  functionName: 'addClaim',
  eventName: 'ClaimAdded',
  args: ({ wallet, slot, dataHash, expiry }) => [wallet, slot, dataHash, BigInt(expiry)],
  isFor: isSlotOf,
})

export const revokeClaimCall = contractCall<OfSlot, OfSlot>({
  kind,
  abi,
  functionName: 'revokeClaim',
  eventName: 'ClaimRevoked',
  args: ({ wallet, slot }) => [wallet, slot],
  isFor: isSlotOf,
})

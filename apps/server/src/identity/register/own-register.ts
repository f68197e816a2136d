import { type Abi, type Address, type Hex, keccak256, toHex, zeroAddress, zeroHash } from 'viem'
import type { AnyCallPair } from '../../platform/chain/call-pair.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { slotAt } from '../values/index.rules.ts'
import type { BlockReader } from './block-reader.ts'
import * as calls from './own-registry.call.ts'
import type { PlannedCall, Power, ProofPlace, Register } from './register.ts'

const abi = abis.identityRegistry
const KIND = 'identityRegistry'
/** From this reason on a compliance module speaks. */
const MODULE_REFUSED = 10

export const ownRoles = {
  KYC_PROVIDER_ROLE: keccak256(toHex('KYC_PROVIDER_ROLE')),
  REGISTER_OPERATOR_ROLE: keccak256(toHex('REGISTER_OPERATOR_ROLE')),
  COMPLIANCE_OFFICER_ROLE: keccak256(toHex('COMPLIANCE_OFFICER_ROLE')),
  LEGAL_OPERATOR_ROLE: keccak256(toHex('LEGAL_OPERATOR_ROLE')),
  DEFAULT_ADMIN_ROLE: zeroHash,
} as const

export const ownRoleRead = (registry: Address, role: keyof typeof ownRoles, wallet: Address) =>
  contractRead(registry, abi, 'hasRole', [ownRoles[role], wallet])

/** Our own registry answers everything we ask it; when it does not, it could not be read. */
export function required<T>(result: ReadResult<T> | undefined): T {
  if (!result?.ok) throw new ChainUnavailableError('the identity registry does not answer')
  return result.value
}

const power = (registry: Address, role: 'KYC_PROVIDER_ROLE' | 'REGISTER_OPERATOR_ROLE'): Power => ({
  requiredRole: role,
  missingCode: `${role}_MISSING`,
  reads: (wallets): ContractRead<boolean>[] => wallets.map((wallet) => ownRoleRead(registry, role, wallet)),
})
export const ownProvider = (registry: Address): Power => power(registry, 'KYC_PROVIDER_ROLE')

/** As numbers of ISO 3166-1, in the order of the wallets. */
export async function readCountries(reader: BlockReader, registry: Address, wallets: readonly Address[]) {
  const results = await reader.read(wallets.map((wallet) => contractRead(registry, abi, 'investorCountry', [wallet])))
  return results.map((result) => (result.ok ? result.value : 0))
}

/** The registry of this product. */
export function ownRegister(address: Address): Register {
  const provider = ownProvider(address)
  const planned = <A>(
    pair: { functionName: string; prepare(target: Address, args: A): PlannedCall['call'] },
    args: A,
    by: Power,
  ): PlannedCall => ({ call: pair.prepare(address, args), functionName: pair.functionName, power: by })

  /** Every event of the pair tells whom it concerned; the wallet of one that is not ours was meant. */
  const place = (pairs: readonly AnyCallPair[], candidates: ProofPlace['candidates'], wallet: Address): ProofPlace => ({
    target: address,
    kind: KIND,
    candidates,
    mismatch(transaction: MinedTransaction) {
      const effects = pairs.flatMap((pair) => pair.settle(address, transaction.logs).map(({ effect }) => effect))
      if (effects.some(({ user }) => user === wallet)) return 'slot'
      return effects.length > 0 ? 'wallet' : null
    },
  })

  return {
    kind: 'TALLYSTICK',
    address,

    async identity(reader, wallet) {
      const [stored, status, frozen, verified, contained] = await reader.read([
        contractRead(address, abi, 'identityOf', [wallet]),
        contractRead(address, abi, 'statusOf', [wallet]),
        contractRead(address, abi, 'isAddressFrozen', [wallet]),
        contractRead(address, abi, 'isVerified', [wallet]),
        contractRead(address, abi, 'contains', [wallet]),
      ])
      const identity = required(stored)
      const wasEverVerified = identity.kycHash !== zeroHash
      return {
        isRegistered: required(contained),
        wasEverVerified,
        statusCode: required(status),
        isVerified: required(verified),
        isFrozen: required(frozen),
        kycHash: identity.kycHash,
        investorType: identity.investorType,
        provider: identity.provider === zeroAddress ? null : lowered(identity.provider),
        verifiedAt: wasEverVerified ? Number(identity.verifiedAt) : null,
        softExpiry: Number(identity.softExpiry),
        hardExpiry: Number(identity.hardExpiry),
        country: identity.country,
        identityAddress: null,
      }
    },

    async claims(reader, wallet) {
      const results = await reader.read([0, 1, 2, 3, 4, 5, 6, 7].map((slot) => claimRead(address, wallet, slot)))
      return results.flatMap((result, index) => {
        const [claim, isActive] = required(result)
        if (claim.dataHash === zeroHash) return []
        return [
          {
            slot: slotAt(index),
            dataHash: claim.dataHash,
            issuer: lowered(claim.issuer),
            issuedAt: Number(claim.issuedAt),
            expiry: Number(claim.expiry),
            isActive,
            signature: null,
          },
        ]
      })
    },

    async isVerified(reader, wallet) {
      const [verified] = await reader.read([contractRead(address, abi, 'isVerified', [wallet])])
      return verified?.ok ? verified.value : null
    },

    async checkTransfer(reader, { from, to, amount, fromBalance, toBalance }) {
      const args = [from, to, amount, fromBalance, toBalance] as const
      const [verdict, objection] = await reader.read([
        contractRead(address, abi, 'canTransfer', args),
        contractRead(address, abi, 'moduleObjection', args),
      ])
      const found = required(verdict)
      // The first version of the registry does not say which module it was.
      const module = found.reason >= MODULE_REFUSED && objection.ok ? lowered(objection.value[1]) : null
      return { ...found, module }
    },

    async planVerification(_reader, wallet, state, request) {
      return planned(state.isRegistered ? calls.updateCall : calls.verifyCall, { wallet, ...request }, provider)
    },
    verificationPlace: (wallet) => {
      const pairs = [calls.verifyCall, calls.updateCall]
      const candidates = pairs.map((pair) => candidate(pair, { wallet }))
      return place(pairs, candidates, wallet)
    },

    planRemoval: (wallet) => planned(calls.revokeIdentityCall, { wallet }, power(address, 'REGISTER_OPERATOR_ROLE')),
    removalPlace: (wallet) =>
      place([calls.revokeIdentityCall], [candidate(calls.revokeIdentityCall, { wallet })], wallet),

    async planClaims(_reader, wallet, requests) {
      return requests.map(({ slot, dataHash, expiry }) => ({
        call: planned(calls.addClaimCall, { wallet, slot: slot.index, dataHash, expiry }, provider),
      }))
    },
    async claimPlace(_reader, wallet, slot) {
      const expected = { wallet, slot: slot.index }
      return place([calls.addClaimCall], [candidate(calls.addClaimCall, expected)], wallet)
    },

    planRevocation: (wallet, { slot }) => planned(calls.revokeClaimCall, { wallet, slot: slot.index }, provider),
    async revocationPlace(wallet, slot) {
      const expected = { wallet, slot: slot.index }
      return place([calls.revokeClaimCall], [candidate(calls.revokeClaimCall, expected)], wallet)
    },
  }
}

interface StoredClaim {
  readonly dataHash: Hex
  readonly issuer: Address
  readonly issuedAt: bigint
  readonly expiry: bigint
}

const claimRead = (registry: Address, wallet: Address, slot: number) =>
  contractRead(registry, abi as Abi, 'claimOf', [wallet, slot]) as ContractRead<readonly [StoredClaim, boolean]>

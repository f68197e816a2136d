import { type Abi, type Address, zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { AnyCallPair } from '../../platform/chain/call-pair.ts'
import { type ContractRead, contractRead } from '../../platform/chain/contract-read.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { candidate } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import { keyOf, topicOf } from '../values/index.rules.ts'
import type { BlockReader } from './block-reader.ts'
import { required } from './own-register.ts'
import type { IdentityState, PlannedCall, Power, ProofPlace, Register } from './register.ts'
import { readTrust, readTrustedClaims } from './trex-claims.ts'
import { planTrexClaims } from './trex-new-claims.ts'
import * as calls from './trex-registry.call.ts'

const abi = abis.trexRegistry
const MANAGEMENT_KEY = 1n
const ANY_TOPIC = 1n

export const agentRead = (registry: Address, wallet: Address) => contractRead(registry, abi, 'isAgent', [wallet])

/** A registry of ERC-3643: it lists identity contracts, which carry the claims. It knows no expiry and no investor type. */
export function trexRegister(address: Address): Register {
  const agent: Power = {
    requiredRole: 'REGISTRY_AGENT',
    missingCode: 'REGISTRY_AGENT_MISSING',
    reads: (wallets): ContractRead<boolean>[] => wallets.map((wallet) => agentRead(address, wallet)),
  }
  const planned = <A>(
    pair: { functionName: string; prepare(target: Address, args: A): PlannedCall['call'] },
    args: A,
  ): PlannedCall => ({ call: pair.prepare(address, args), functionName: pair.functionName, power: agent })

  const place = (pairs: readonly AnyCallPair[], candidates: ProofPlace['candidates'], wallet: Address): ProofPlace => ({
    target: address,
    kind: 'trexRegistry',
    candidates,
    mismatch: ({ logs }) => {
      const effects = pairs.flatMap((pair) => pair.settle(address, logs).map(({ effect }) => effect))
      return effects.some(({ investorAddress }) => investorAddress !== wallet) ? 'wallet' : null
    },
  })

  async function identity(reader: BlockReader, wallet: Address): Promise<IdentityState> {
    const [found, verified, country] = await reader.read([
      contractRead(address, abi, 'identity', [wallet]),
      contractRead(address, abi, 'isVerified', [wallet]),
      contractRead(address, abi, 'investorCountry', [wallet]),
    ])
    const at = required(found)
    const isRegistered = at !== zeroAddress
    return {
      isRegistered,
      wasEverVerified: isRegistered,
      statusCode: isRegistered ? 0 : 3,
      isVerified: required(verified),
      isFrozen: null,
      kycHash: null,
      investorType: null,
      provider: null,
      verifiedAt: null,
      softExpiry: null,
      hardExpiry: null,
      country: required(country),
      identityAddress: isRegistered ? lowered(at) : null,
    }
  }

  return {
    kind: 'TREX',
    address,
    identity,
    claims: async (reader, wallet) => readTrustedClaims(reader, await readTrust(reader, address, wallet)),

    async isVerified(reader, wallet) {
      const [verified] = await reader.read([contractRead(address, abi, 'isVerified', [wallet])])
      return verified?.ok ? verified.value : null
    },

    /** Its tokens ask for the receiver alone. */
    async checkTransfer(reader, { from, to }) {
      const [sender, receiver] = [await identity(reader, from), await identity(reader, to)]
      const { isVerified: allowed } = receiver
      return {
        allowed,
        reason: allowed ? 0 : 2,
        module: null,
        senderStatus: sender.statusCode,
        receiverStatus: receiver.statusCode,
      }
    },

    async planVerification(reader, wallet, state, { identityAddress, country }) {
      if (!identityAddress) throw new AppError('INVALID_IDENTITY_ADDRESS')
      await requireIdentityContract(reader, identityAddress)
      if (!state.isRegistered)
        return planned(calls.registerIdentityCall, { wallet, identity: identityAddress, country: country.numeric })
      return state.identityAddress === identityAddress
        ? planned(calls.updateCountryCall, { wallet, country: country.numeric })
        : planned(calls.updateIdentityCall, { wallet, identity: identityAddress })
    },
    verificationPlace: (wallet) => {
      const pairs = [calls.registerIdentityCall, calls.updateIdentityCall, calls.updateCountryCall]
      const candidates = pairs.map((pair) => candidate(pair, { wallet }))
      return place(pairs, candidates, wallet)
    },

    planRemoval: (wallet) => planned(calls.deleteIdentityCall, { wallet }),
    removalPlace: (wallet) =>
      place([calls.deleteIdentityCall], [candidate(calls.deleteIdentityCall, { wallet })], wallet),

    planClaims: async (reader, wallet, requests, planning) =>
      planTrexClaims(reader, await readTrust(reader, address, wallet), requests, planning),
    async claimPlace(reader, wallet, slot) {
      const trust = await readTrust(reader, address, wallet)
      if (!trust.identity) throw new AppError('TX_TARGET_MISMATCH', { detail: 'The wallet is not registered.' })
      const expected = { topic: topicOf(slot, trust.requiredTopics) }
      const pairs = [calls.addIdentityClaimCall, calls.changeIdentityClaimCall]
      const target = trust.identity
      return {
        target,
        kind: 'onchainId',
        candidates: pairs.map((pair) => candidate(pair, expected)),
        mismatch: ({ logs }) => (pairs.some((pair) => pair.settle(target, logs).length > 0) ? 'slot' : null),
      }
    },

    planRevocation(_wallet, { issuer, signature }) {
      const pair = calls.revokeBySignatureCall
      const manager: Power = {
        requiredRole: 'CLAIM_ISSUER_MANAGER',
        missingCode: 'REGISTRY_AGENT_MISSING',
        reads: (wallets): ContractRead<boolean>[] =>
          wallets.map((wallet) =>
            contractRead(issuer, abis.claimIssuer, 'keyHasPurpose', [keyOf(wallet), MANAGEMENT_KEY]),
          ),
      }
      const call = pair.prepare(issuer, { signature: signature ?? '0x' })
      return { call, functionName: pair.functionName, power: manager }
    },

    /** The issuer revokes a signature: which wallet and slot it was for, the identity contract tells. */
    async revocationPlace(_wallet, slot, evidence) {
      const { claims, transaction } = await evidence()
      const pair = calls.revokeBySignatureCall
      const signed = claims.flatMap((claim) => (claim.signature ? [{ ...claim, signature: claim.signature }] : []))
      const revoked = signed.filter(({ issuer, signature }) =>
        pair.settle(issuer, transaction.logs).some(({ effect }) => pair.isFor(effect, { signature })),
      )
      const inSlot = signed.filter((claim) => claim.slot.index === slot.index)
      const claim = revoked.find((one) => one.slot.index === slot.index) ?? inSlot[0]
      if (!claim) return null
      return {
        target: claim.issuer,
        kind: 'claimIssuer',
        candidates: [candidate(pair, { signature: claim.signature })],
        mismatch: ({ logs }) => {
          if (revoked.length > 0) return 'slot'
          return pair.settle(claim.issuer, logs).length > 0 ? 'wallet' : null
        },
      }
    },
  }
}

/** Something that does not answer about claims would be registered for nothing. */
async function requireIdentityContract(reader: BlockReader, identity: Address): Promise<void> {
  const read = contractRead(identity, abis.onchainId as Abi, 'getClaimIdsByTopic', [ANY_TOPIC])
  const [answer] = await reader.read([read])
  if (!answer?.ok)
    throw new AppError('VERIFY_FAILED', { detail: 'What stands at identityAddress does not answer as an identity.' })
}

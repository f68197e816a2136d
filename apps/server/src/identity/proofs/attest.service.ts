import type { identityOperations, LegBodyOf } from '@tallystick/wire'
import { getAddress } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { simulate } from '../../platform/chain/simulate.ts'
import type { IdentityParts } from '../parts.ts'
import {
  type ClaimRequest,
  type FindRegister,
  findSigner,
  type IdentityCall,
  type IdentityState,
  latestReader,
  type PlannedClaim,
  type Register,
} from '../register/index.ts'
import { explainIdentity } from '../reverts.ts'
import { expiryAfter } from '../values/index.rules.ts'
import { requireEntries } from './entries.ts'
import type { ProofEntry } from './proof-entries.rules.ts'

type AttestBody = LegBodyOf<typeof identityOperations.attestProofs, 'build'>

function requireFit({ isRegistered, wasEverVerified, statusCode }: IdentityState): void {
  if (!isRegistered) throw new AppError(wasEverVerified ? 'IDENTITY_REVOKED' : 'NOT_VERIFIED')
  if (statusCode === 2) throw new AppError('IDENTITY_EXPIRED')
}

function requireNoExpiry({ kind }: Register, entries: readonly ProofEntry[]): void {
  const index = entries.findIndex(({ expiryDays }) => expiryDays > 0)
  if (kind === 'TREX' && index >= 0)
    throw fieldError('INVALID_ENTRY', [
      { field: `entries.${index}.expiryDays`, message: 'must be 0: this registry has no expiries' },
    ])
}

type ClaimCall = Extract<PlannedClaim, { call: unknown }>
const isCall = (planned: PlannedClaim): planned is ClaimCall => 'call' in planned

/** An entry, what it asks the registry for, and what that takes. */
interface Plan {
  readonly entry: ProofEntry
  readonly request: ClaimRequest
  readonly planned: PlannedClaim
}

const messageOf = ({ entry, planned }: Plan) => {
  if (isCall(planned)) return []
  const { slot, message, claimIssuer, signerAddress } = planned.toSign
  return [{ claimType: slot.name, fieldName: entry.fieldName, message, claimIssuer, signerAddress }]
}

const stepOf = (chainId: number, { entry, request }: Plan, { call: { call } }: ClaimCall) => ({
  action: 'SIGN_TRANSACTION' as const,
  type: 'ADD_CLAIM' as const,
  transaction: { to: call.to, data: call.data, value: '0' as const, chainId },
  functionName: 'addClaim' as const,
  fieldName: entry.fieldName,
  claimType: entry.slot.name,
  proofDigest: entry.proofDigest,
  dataHash: entry.dataHash,
  expiry: request.expiry,
  description: `Files the claim on ${entry.slot.name} that the proof of ${entry.fieldName} backs.`,
})

const warningOf = ({ entry: { isUnusual, fieldName, slot } }: Plan) =>
  isUnusual
    ? [
        {
          code: 'NON_CANONICAL_SLOT' as const,
          fieldName,
          message: `Proofs of ${fieldName} usually fill another slot than ${slot.name}.`,
        },
      ]
    : []

/** Filing claims with the proofs that back them. */
export function createAttest({ clock }: IdentityParts, registers: FindRegister) {
  return async (call: IdentityCall, body: AttestBody) => {
    const wallet = requireAddress(body.walletAddress)
    const entries = requireEntries(body.entries)
    const found = await registers.find(call, body.registryAddress)
    const { register, chain, wallets } = found
    requireNoExpiry(register, entries)
    const reader = latestReader(chain)
    requireFit(await register.identity(reader, wallet))
    const block = reader.block()
    const requests = entries.map(({ slot, dataHash, signature, expiryDays }) => ({
      slot,
      dataHash,
      signature,
      expiry: expiryAfter(expiryDays, block.time),
    }))
    const planned = await register.planClaims(reader, wallet, requests, { wallets, failed: 'ATTEST_FAILED' })
    const plans = entries.flatMap((entry, index): Plan[] => {
      const [request, plan] = [requests[index], planned[index]]
      return request && plan ? [{ entry, request, planned: plan }] : []
    })
    const about = {
      registerKind: register.kind,
      registryAddress: register.address,
      walletAddress: getAddress(wallet),
    }
    const calls = planned.filter(isCall)
    const [first] = calls
    if (!first || calls.length < plans.length) {
      const data = {
        action: 'SIGN_MESSAGES' as const,
        messages: plans.flatMap(messageOf),
        ...about,
        description: 'The claim issuer signs each message; send the entries again, each with its signature.',
        resendWith: { field: 'signature' as const },
      }
      return { data, block }
    }
    const signer = await findSigner(reader, found, first.call.power)
    const unsigned = calls.map((one) => one.call.call)
    const simulation = await simulate(chain, signer.signerAddress, unsigned, { clock, explain: explainIdentity })
    const steps = plans.flatMap((plan) => (isCall(plan.planned) ? [stepOf(chain.chainId, plan, plan.planned)] : []))
    const data = {
      action: 'SIGN_TRANSACTIONS' as const,
      ...about,
      ...signer,
      steps,
      total: steps.length,
      warnings: plans.flatMap(warningOf),
      simulation: { ...simulation, gasUsed: simulation.gasUsed?.toString() ?? null },
      confirmWith: {
        endpoint: '/customers/api/identity/proofs',
        field: 'txResults' as const,
        shape: '[{ fieldName, txHash }]',
      },
    }
    const signed = steps.map(({ transaction, description }) => ({ ...transaction, description }))
    return { data, block, calls: signed }
  }
}

export type Attest = ReturnType<typeof createAttest>

import type { Address } from 'viem'
import type { HolderStatus, TokenSide } from './token-side.reads.ts'

export type AdmissionRequirement =
  | 'adapter_must_be_verified_holder'
  | 'adapter_must_be_authorized_contract'
  | 'none_required'
  | 'holder_status_unreadable'
  | 'unknown'

/** Whether the collateral token lets a contract hold it. Null: nobody can say. */
export interface Admission {
  readonly admitted: boolean | null
  readonly requirement: AdmissionRequirement
  readonly registry: Address | null
}

/**
 * A token that asks neither a register nor a list lets everybody hold it, as far as can be seen from outside. One that has both, as our
 * own stocks have, spares a contract on its list the register: either will do, and the list is the way for contracts.
 */
export function admissionOf(token: TokenSide, holder: HolderStatus): Admission {
  const { registry } = token
  const asked = (answer: boolean | null, requirement: AdmissionRequirement): Admission =>
    answer === null
      ? { admitted: null, requirement: 'holder_status_unreadable', registry }
      : { admitted: answer, requirement, registry }
  if (!token.answers) return { admitted: null, requirement: 'unknown', registry }
  if (!registry && !token.hasAllowList) return { admitted: true, requirement: 'none_required', registry }
  const goesByRegister = !token.hasAllowList || (holder.allowListed !== true && holder.verified !== false)
  return registry && goesByRegister
    ? asked(holder.verified, 'adapter_must_be_verified_holder')
    : asked(holder.allowListed, 'adapter_must_be_authorized_contract')
}

export interface Refusal {
  readonly code:
    | 'ONCHAINID_REQUIRED'
    | 'IDENTITY_CLAIMS_REQUIRED'
    | 'IDENTITY_REGISTRY_UNRECOGNISED'
    | 'TOKEN_NOT_FREEZE_COMPATIBLE'
    | 'WALLET_NOT_CONFIGURED'
    | 'FACTORY_READ_FAILED'
  readonly message: string
}

/** Why the register cannot be told about a holder without more being known. Null: it can. */
export function registrationRefusal(token: TokenSide, holder: HolderStatus): Refusal | null {
  if (!token.claimTopics) {
    if (holder.verified !== null || !token.registry) return null
    return {
      code: 'IDENTITY_REGISTRY_UNRECOGNISED',
      message: 'The register does not say whether the contract is verified.',
    }
  }
  return holder.registered
    ? {
        code: 'IDENTITY_CLAIMS_REQUIRED',
        message:
          'The contract is registered, but its identity lacks a claim that the register asks for. Add the claim, or name another identityAddress.',
      }
    : {
        code: 'ONCHAINID_REQUIRED',
        message: 'The register asks for claims: name the identity contract that carries them as identityAddress.',
      }
}

import { Type } from 'typebox'
import { fieldDetails, transactionErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'

/** Every route that acts on a registry. */
export const registerErrors = {
  INVALID_ADDRESS: {
    status: 400,
    message: 'An address must be 0x and 40 hex digits with a valid checksum, if mixed case.',
  },
  OWN_REGISTRY_NOT_CONFIGURED: {
    status: 409,
    message: 'This deployment has no identity registry of its own on your chain. Name one as registryAddress.',
  },
  REGISTRY_UNRECOGNISED: {
    status: 400,
    message: 'What stands at registryAddress is neither our registry nor one of ERC-3643.',
  },
} as const satisfies ErrorTable

export const probeErrors = {
  REGISTRY_PROBE_FAILED: { status: 503, retry: true, message: 'The registry could not be read. Try again.' },
} as const satisfies ErrorTable

const holdsRole = { extra: Type.Object({ requiredRole: Type.String() }) } as const

export const providerErrors = {
  KYC_PROVIDER_ROLE_MISSING: {
    status: 403,
    message: 'No verified wallet of your instance is a KYC provider of the registry.',
    ...holdsRole,
  },
} as const satisfies ErrorTable

export const operatorErrors = {
  REGISTER_OPERATOR_ROLE_MISSING: {
    status: 403,
    message: 'No verified wallet of your instance is an operator of the registry.',
    ...holdsRole,
  },
} as const satisfies ErrorTable

export const agentErrors = {
  REGISTRY_AGENT_MISSING: {
    status: 403,
    message: 'No verified wallet of your instance may do this on the ERC-3643 registry.',
    ...holdsRole,
  },
} as const satisfies ErrorTable

export const claimTypeErrors = {
  INVALID_CLAIM_TYPE: {
    status: 400,
    message: 'claimType must name a slot, or be its index as a number of 0 to 7.',
  },
} as const satisfies ErrorTable

export const confirmErrors = {
  ...transactionErrors,
  TX_TARGET_MISMATCH: { status: 400, message: 'The transaction concerns another wallet.' },
} as const satisfies ErrorTable

export const verifyInputErrors = {
  INVALID_COUNTRY: {
    status: 400,
    message: 'country must be one of ISO 3166-1: two letters, three letters or the number.',
  },
  INVALID_HASH: { status: 400, message: 'A hash must be 0x and 64 hex digits, and not zero.' },
  INVALID_INVESTOR_TYPE: {
    status: 400,
    message: 'investorType must be RETAIL, PROFESSIONAL or ELIGIBLE_COUNTERPARTY.',
  },
  INVALID_EXPIRY: {
    status: 400,
    message: 'Expiries are whole days of 0 to 36500, the soft one before the hard one; an ERC-3643 registry has none.',
  },
  INVALID_IDENTITY_ADDRESS: {
    status: 400,
    message: 'An ERC-3643 registry registers identity contracts: name the investor’s as identityAddress.',
  },
} as const satisfies ErrorTable

export const missingCountry = {
  MISSING_COUNTRY: { status: 400, message: 'country is required.' },
} as const satisfies ErrorTable

export const verifyFailed = {
  VERIFY_FAILED: { status: 400, message: 'The verification could not be prepared or confirmed.' },
} as const satisfies ErrorTable

export const revokeFailed = {
  REVOKE_FAILED: { status: 400, message: 'The revocation of the identity could not be prepared or confirmed.' },
} as const satisfies ErrorTable

export const claimInputErrors = {
  ...claimTypeErrors,
  INVALID_HASH: {
    status: 400,
    message: 'Give dataHash, 0x and 64 hex digits and not zero, or dataInput, from which it is made.',
  },
  INVALID_EXPIRY: {
    status: 400,
    message: 'expiryDays is a whole number of 0 to 36500; an ERC-3643 registry has no expiries.',
  },
  PROOF_REQUIRED: {
    status: 400,
    message: 'This slot is filled by a proof: attest it with POST /customers/api/identity/proofs.',
  },
  ADD_CLAIM_FAILED: { status: 400, message: 'The claim could not be prepared or confirmed.' },
} as const satisfies ErrorTable

export const revokeClaimFailed = {
  REVOKE_CLAIM_FAILED: { status: 400, message: 'The revocation could not be prepared or confirmed.' },
} as const satisfies ErrorTable

export const revokeProofFailed = {
  REVOKE_PROOF_FAILED: { status: 500, retry: true, message: 'The revocation could not be prepared or confirmed.' },
} as const satisfies ErrorTable

export const otherClaimErrors = {
  TX_CLAIM_MISMATCH: { status: 400, message: 'The transaction revokes another claim of this wallet.' },
} as const satisfies ErrorTable

export const batchInputErrors = {
  INVALID_INPUT: { status: 400, message: 'entries must be a list of 1 to 500 wallets.' },
} as const satisfies ErrorTable

/** An entry that was left out, and why. */
export const RejectedEntry = Type.Object(
  { index: Type.Integer(), walletAddress: Type.String(), code: Type.String(), message: Type.String() },
  { additionalProperties: false },
)

export const noValidEntries = {
  NO_VALID_ENTRIES: {
    status: 400,
    message: 'None of the entries can be verified.',
    extra: Type.Object({ rejected: Type.Array(RejectedEntry) }),
  },
} as const satisfies ErrorTable

export const unsupportedRegister = {
  REGISTRY_UNSUPPORTED: { status: 400, message: 'An ERC-3643 registry is filled one by one: use verify.' },
} as const satisfies ErrorTable

export const entriesMismatch = {
  TX_ENTRIES_MISMATCH: { status: 400, message: 'The transaction verified another batch than these entries.' },
} as const satisfies ErrorTable

/** Which of the entries, and what is wrong with it. */
const tellsField = { extra: fieldDetails } as const

export const proofInputErrors = {
  INVALID_CLAIM_TYPE: { ...claimTypeErrors.INVALID_CLAIM_TYPE, ...tellsField },
  INVALID_ENTRY: { status: 400, message: 'An entry is not of the form this route takes.' },
  NO_ENTRIES: { status: 400, message: 'entries must hold at least one proof.', ...tellsField },
  TOO_MANY_ENTRIES: { status: 400, message: 'At most 8 proofs at once: one per slot.', ...tellsField },
  INVALID_FIELD: {
    status: 400,
    message: 'fieldName must be 1 to 128 characters on one line, and one of the entries.',
    ...tellsField,
  },
  DUPLICATE_FIELD: { status: 400, message: 'Two entries have the same fieldName.', ...tellsField },
  DUPLICATE_SLOT: { status: 400, message: 'Two entries would fill the same slot.', ...tellsField },
  SLOT_REQUIRED: { status: 400, message: 'This field has no slot of its own: name one as claimType.', ...tellsField },
} as const satisfies ErrorTable

export const unfitIdentityErrors = {
  NOT_VERIFIED: { status: 400, message: 'The wallet has no identity on this registry.' },
  IDENTITY_REVOKED: { status: 400, message: 'The identity of the wallet is revoked.' },
  IDENTITY_EXPIRED: { status: 400, message: 'The identity of the wallet is past its hard expiry.' },
  ATTEST_FAILED: { status: 400, message: 'The claims could not be prepared.' },
} as const satisfies ErrorTable

export const ProofOutcome = Type.Object(
  {
    fieldName: Type.String(),
    claimType: Type.String(),
    status: Type.String(),
    txHash: Type.Union([Type.String(), Type.Null()]),
    code: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
)

export const noProofsAdded = {
  NO_PROOFS_ADDED: {
    status: 400,
    message: 'None of the transactions added its claim.',
    extra: Type.Object({ proofs: Type.Array(ProofOutcome) }),
  },
} as const satisfies ErrorTable

export const statusFailed = {
  STATUS_FAILED: { status: 500, retry: true, message: 'The status could not be read.' },
} as const satisfies ErrorTable

export const claimsFailed = {
  CLAIMS_FAILED: { status: 500, retry: true, message: 'The claims could not be read. This is not an empty list.' },
} as const satisfies ErrorTable

export const proofsFailed = {
  PROOFS_FAILED: { status: 500, retry: true, message: 'The proofs could not be read. This is not an empty list.' },
} as const satisfies ErrorTable

export const checkErrors = {
  INVALID_INPUT: {
    status: 400,
    message: 'from and to must be addresses; amount, fromBalance and toBalance whole numbers as strings.',
  },
  CHECK_FAILED: { status: 500, retry: true, message: 'The transfer could not be checked.' },
} as const satisfies ErrorTable

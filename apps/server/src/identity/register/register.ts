import type { RegisterKind } from '@tallystick/wire'
import type { Address, Hex } from 'viem'
import type { AppCode } from '../../platform/app-error.ts'
import type { ContractRead } from '../../platform/chain/contract-read.ts'
import type { UnsignedCall } from '../../platform/chain/simulate.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import type { ConfirmCandidate } from '../../writes/index.ts'
import type { InvestorInput, Slot } from '../values/index.rules.ts'
import type { BlockReader } from './block-reader.ts'

/** What a registry says about a wallet. Null: this kind of registry does not know such a thing. */
export interface IdentityState {
  /** An unrevoked identity stands. */
  readonly isRegistered: boolean
  readonly wasEverVerified: boolean
  /** 0 active, 1 soft expired, 2 hard expired, 3 revoked or none. */
  readonly statusCode: number
  readonly isVerified: boolean
  readonly isFrozen: boolean | null
  readonly kycHash: Hex | null
  readonly investorType: number | null
  readonly provider: Address | null
  readonly verifiedAt: number | null
  readonly softExpiry: number | null
  readonly hardExpiry: number | null
  readonly country: number
  readonly identityAddress: Address | null
}

export interface ClaimState {
  readonly slot: Slot
  readonly dataHash: Hex
  readonly issuer: Address
  readonly issuedAt: number | null
  readonly expiry: number | null
  readonly isActive: boolean
  /** What the issuer of an ONCHAINID claim signed, and what revokes it. */
  readonly signature: Hex | null
}

/** What a signer must be allowed to do, and how to find out. */
export interface Power {
  readonly requiredRole: string
  /** Told when no wallet of the instance has it; null: somebody else is expected to sign. */
  readonly missingCode: AppCode | null
  reads(wallets: readonly Address[]): ContractRead<boolean>[]
}

/** One call, ready to be signed. */
export interface PlannedCall {
  readonly call: UnsignedCall
  readonly functionName: string
  readonly power: Power
}

export interface ClaimRequest {
  readonly slot: Slot
  readonly dataHash: Hex
  readonly expiry: number
  readonly signature: Hex | undefined
}

export interface ClaimPlanning {
  /** Of the instance, one of which may sign for a claim issuer. */
  readonly wallets: readonly Address[]
  /** The route's code for a claim that cannot be added. */
  readonly failed: AppCode
}

/** What the issuer of a claim has to sign before it can be added. */
export interface ClaimToSign {
  readonly slot: Slot
  readonly message: Hex
  readonly claimIssuer: Address
  readonly signerAddress: Address | null
}

export type PlannedClaim = { readonly call: PlannedCall } | { readonly toSign: ClaimToSign }

/** Where a write shows, and by which events. */
export interface ProofPlace {
  readonly target: Address
  readonly kind: string
  readonly candidates: readonly ConfirmCandidate[]
  /** Why a transaction that touched the contract is not the one: it concerns another wallet, another slot, or neither. */
  mismatch(transaction: MinedTransaction): 'wallet' | 'slot' | null
}

export interface VerifyRequest extends InvestorInput {
  readonly identityAddress: Address | null
}

/** A registry of identities, whichever kind it is. */
export interface Register {
  readonly kind: RegisterKind
  readonly address: Address
  identity(reader: BlockReader, wallet: Address): Promise<IdentityState>
  /** Everything that is stored in slots, active or not. */
  claims(reader: BlockReader, wallet: Address): Promise<ClaimState[]>
  isVerified(reader: BlockReader, wallet: Address): Promise<boolean | null>
  checkTransfer(reader: BlockReader, transfer: Transfer): Promise<TransferVerdict>
  planVerification(
    reader: BlockReader,
    wallet: Address,
    state: IdentityState,
    request: VerifyRequest,
  ): Promise<PlannedCall>
  verificationPlace(wallet: Address): ProofPlace
  planRemoval(wallet: Address): PlannedCall
  removalPlace(wallet: Address): ProofPlace
  planClaims(
    reader: BlockReader,
    wallet: Address,
    requests: readonly ClaimRequest[],
    planning: ClaimPlanning,
  ): Promise<PlannedClaim[]>
  claimPlace(reader: BlockReader, wallet: Address, slot: Slot): Promise<ProofPlace>
  planRevocation(wallet: Address, claim: ClaimState): PlannedCall
  /** Null: the slot never held anything that could have been revoked. */
  revocationPlace(wallet: Address, slot: Slot, evidence: () => Promise<RevocationEvidence>): Promise<ProofPlace | null>
}

/** Where it takes more than the event to know which claim was revoked. */
export interface RevocationEvidence {
  /** Of the wallet, at the block of the receipt. */
  readonly claims: readonly ClaimState[]
  readonly transaction: MinedTransaction
}

export interface Transfer {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
  readonly fromBalance: bigint
  readonly toBalance: bigint
}

export interface TransferVerdict {
  readonly allowed: boolean
  readonly reason: number
  /** The compliance module that speaks against it, where the registry tells. */
  readonly module: Address | null
  readonly senderStatus: number
  readonly receiverStatus: number
}

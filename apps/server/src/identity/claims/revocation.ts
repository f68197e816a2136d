import { type Address, getAddress, type Hex } from 'viem'
import type { Alongside, ConfirmedCandidate } from '../../intents/index.ts'
import { type AppCode, AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { readTransaction } from '../../platform/chain/transaction.ts'
import type { IdentityParts } from '../parts.ts'
import { thenAndNow, verificationOf } from '../register/after-receipt.ts'
import { latestReader, pastReader } from '../register/block-reader.ts'
import { buildCall, findSigner } from '../register/build-call.ts'
import { confirmedFields } from '../register/confirmed-fields.ts'
import type { FindRegister, FoundRegister, IdentityCall } from '../register/find-register.service.ts'
import type { ClaimState, RevocationEvidence } from '../register/register.ts'
import { requireSlot, stillActive } from './claim-request.ts'
import type { Slot } from './slots.rules.ts'

/** What a route calls its failures. */
export interface RevocationCodes {
  readonly failed: AppCode
  readonly otherSlot: AppCode
}

export interface RevocationWish {
  readonly walletAddress: string
  readonly claimType: string | number
  readonly registryAddress?: string | undefined
}

/** The ledger's part of a confirmation; it is written in the transaction that records the revocation. */
export type Afterwards = (found: FoundRegister, wallet: Address, slot: Slot, proof: ConfirmedCandidate) => Alongside

const ofSlot = (claims: readonly ClaimState[], slot: Slot) => claims.filter((claim) => claim.slot.index === slot.index)

/** Emptying a slot, whoever filled it. Two routes do it; one of them also keeps a ledger. */
export function createRevocation({ clock, intents }: IdentityParts, registers: FindRegister) {
  /** An issuer of ONCHAINID claims names only a signature, so the claims of the wallet at that block are the evidence. */
  const evidenceOf = (found: FoundRegister, wallet: Address, txHash: Hex) => async (): Promise<RevocationEvidence> => {
    const { register, chain } = found
    const transaction = await readTransaction(chain, txHash.toLowerCase() as Hex)
    if (!transaction) throw new AppError('TX_NOT_FOUND')
    const then = await chainOrNull(register.claims(pastReader(chain, transaction.block), wallet))
    return { transaction, claims: then ?? (await register.claims(latestReader(chain), wallet)) }
  }

  /** The slot must be empty at the block of the receipt; filled again afterwards, the answer says so. */
  async function requireEmptied(
    found: FoundRegister,
    wallet: Address,
    slot: Slot,
    { transaction }: ConfirmedCandidate,
    { emitter, failed }: { emitter: Address; failed: AppCode },
  ): Promise<{ reissued: boolean }> {
    const { register } = found
    const { then, now } = await thenAndNow(found, transaction, (reader) => register.claims(reader, wallet))
    // Other issuers may have claims on the same topic of an ONCHAINID: the one that revoked is meant.
    const isMeant = ({ issuer }: ClaimState) => register.kind === 'TALLYSTICK' || issuer === emitter
    const isActive = (claims: readonly ClaimState[]) =>
      ofSlot(claims, slot).some((claim) => claim.isActive && isMeant(claim))
    if (then ? isActive(then) : isActive(now)) {
      if (then) throw stillActive(failed)
      throw new AppError('CHAIN_UNAVAILABLE', { detail: 'No node remembers the block of the receipt.' })
    }
    return { reissued: isActive(now) }
  }

  return {
    async build(call: IdentityCall, wish: RevocationWish, codes: RevocationCodes) {
      const wallet = requireAddress(wish.walletAddress)
      const slot = requireSlot(wish.claimType)
      const found = await registers.find(call, wish.registryAddress)
      const { register, chain } = found
      const reader = latestReader(chain)
      const claim = ofSlot(await register.claims(reader, wallet), slot).find(({ isActive }) => isActive)
      if (!claim)
        throw new AppError(codes.failed, { detail: `${getAddress(wallet)} has no active claim on ${slot.name}.` })
      const planned = register.planRevocation(wallet, claim)
      const signer = await findSigner(reader, found, planned.power)
      const built = await buildCall(found, planned, signer, clock)
      const data = {
        ...built,
        registerKind: register.kind,
        registryAddress: register.address,
        walletAddress: getAddress(wallet),
        claimType: slot.name,
        description: `Revokes the claim on ${slot.name} of ${getAddress(wallet)}.`,
      }
      return { data, block: reader.block(), calls: [built.transaction] }
    },

    async confirm(
      call: IdentityCall,
      wish: RevocationWish & { readonly txHash: string },
      codes: RevocationCodes,
      afterwards: Afterwards = () => ({}),
    ) {
      const wallet = requireAddress(wish.walletAddress)
      const slot = requireSlot(wish.claimType)
      const found = await registers.find(call, wish.registryAddress)
      const { register, chain } = found
      const txHash = wish.txHash as Hex
      const place = await register.revocationPlace(wallet, slot, evidenceOf(found, wallet, txHash))
      if (!place)
        throw new AppError(codes.failed, {
          detail: `No trusted issuer ever filed a claim on ${slot.name} for the wallet.`,
        })
      let reissued = false
      const proof = await intents.confirmOneOf(
        call.tenant,
        { chain, ...place },
        place.candidates,
        txHash,
        async (proven) => {
          const meant = { emitter: place.target, failed: codes.failed }
          const emptied = await requireEmptied(found, wallet, slot, proven, meant)
          reissued = emptied.reissued
          return afterwards(found, wallet, slot, proven)
        },
        (transaction) => {
          const mismatch = place.mismatch(transaction)
          if (mismatch === 'wallet') return new AppError('TX_TARGET_MISMATCH')
          return mismatch && new AppError(codes.otherSlot, { detail: 'The transaction revokes another claim.' })
        },
      )
      const data = {
        ...confirmedFields(register, wallet, proof),
        claimType: slot.name,
        reissued,
        verification: await verificationOf(found, wallet, proof.transaction),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type RevocationOf = ReturnType<typeof createRevocation>

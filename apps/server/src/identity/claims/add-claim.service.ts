import type { BodyOf, identityOperations } from '@tallystick/wire'
import { type Address, getAddress, type Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { requireAddress } from '../../platform/chain/address.ts'
import type { IdentityParts } from '../parts.ts'
import { verificationOf } from '../register/after-receipt.ts'
import { latestReader } from '../register/block-reader.ts'
import { buildCall, findSigner } from '../register/build-call.ts'
import { confirmedFields } from '../register/confirmed-fields.ts'
import { confirmAt } from '../register/endpoint.ts'
import type { FindRegister, IdentityCall } from '../register/find-register.service.ts'
import type { IdentityState } from '../register/register.ts'
import { expiryAfter, hashOfInput, isZeroHash } from './claim-data.rules.ts'
import { requireSlot } from './claim-request.ts'
import { filedClaim, isFiled } from './filed-claim.ts'
import { needsProof, type Slot } from './slots.rules.ts'

type AddBody = BodyOf<typeof identityOperations.addClaim>

function requireHandSlot(claimType: string | number): Slot {
  const slot = requireSlot(claimType)
  if (needsProof(slot)) throw new AppError('PROOF_REQUIRED')
  return slot
}

function requireDataHash({ dataHash, dataInput }: AddBody, slot: Slot, wallet: Address): Hex {
  const hash = dataHash ?? (dataInput?.trim() ? hashOfInput(slot, dataInput, wallet) : undefined)
  if (hash === undefined || isZeroHash(hash as Hex)) throw new AppError('INVALID_HASH')
  return hash.toLowerCase() as Hex
}

const ACTIVE_OR_SOFT_EXPIRED = 1

function requireActive({ isRegistered, statusCode }: IdentityState): void {
  if (!isRegistered || statusCode > ACTIVE_OR_SOFT_EXPIRED)
    throw new AppError('ADD_CLAIM_FAILED', { detail: 'Claims are added to an active identity only.' })
}

/** Filling a slot by hand. */
export function createAddClaim({ clock, intents }: IdentityParts, registers: FindRegister) {
  return {
    async build(call: IdentityCall, body: AddBody) {
      const wallet = requireAddress(body.walletAddress)
      const slot = requireHandSlot(body.claimType)
      const dataHash = requireDataHash(body, slot, wallet)
      const found = await registers.find(call, body.registryAddress)
      const { register, chain, wallets } = found
      if (register.kind === 'TREX' && body.expiryDays) throw new AppError('INVALID_EXPIRY')
      const reader = latestReader(chain)
      requireActive(await register.identity(reader, wallet))
      const block = reader.block()
      const expiry = expiryAfter(body.expiryDays, block.time)
      const wish = { slot, dataHash, expiry, signature: body.signature as Hex | undefined }
      const [planned] = await register.planClaims(reader, wallet, [wish], { wallets, failed: 'ADD_CLAIM_FAILED' })
      if (!planned) throw new Error('a claim without a plan')
      const claim = {
        registerKind: register.kind,
        registryAddress: register.address,
        walletAddress: getAddress(wallet),
        description: `Files a claim on ${slot.name} for ${getAddress(wallet)}.`,
        claimType: slot.name,
        dataHash,
        expiry,
      }
      if ('toSign' in planned) {
        const { message, claimIssuer, signerAddress } = planned.toSign
        const data = {
          action: 'SIGN_MESSAGES' as const,
          messages: [{ claimType: slot.name, message, claimIssuer, signerAddress }],
          ...claim,
          resendWith: { field: 'signature' as const },
        }
        return { data, block }
      }
      const signer = await findSigner(reader, found, planned.call.power)
      const built = await buildCall(found, planned.call, signer, clock)
      return {
        data: { ...built, ...claim, confirmWith: confirmAt('/add-claim') },
        block,
        calls: [built.transaction],
      }
    },

    async confirm(call: IdentityCall, body: AddBody & { txHash: string }) {
      const wallet = requireAddress(body.walletAddress)
      const slot = requireHandSlot(body.claimType)
      const found = await registers.find(call, body.registryAddress)
      const { register, chain } = found
      const place = await register.claimPlace(latestReader(chain), wallet, slot)
      const proof = await intents.confirmOneOf(
        call.tenant,
        { chain, ...place },
        place.candidates,
        body.txHash as Hex,
        async (proven) => {
          if (await isFiled(found, wallet, slot, proven)) return {}
          throw new AppError('ADD_CLAIM_FAILED', { detail: 'The claim is not active at the block of the receipt.' })
        },
        (transaction) => {
          const mismatch = place.mismatch(transaction)
          if (mismatch === 'wallet') return new AppError('TX_TARGET_MISMATCH')
          return mismatch && new AppError('ADD_CLAIM_FAILED', { detail: 'The transaction filled another slot.' })
        },
      )
      const data = {
        ...confirmedFields(register, wallet, proof),
        claimType: slot.name,
        ...filedClaim(proof),
        verification: await verificationOf(found, wallet, proof.transaction),
      }
      return { data, block: proof.transaction.block }
    },
  }
}

export type AddClaim = ReturnType<typeof createAddClaim>

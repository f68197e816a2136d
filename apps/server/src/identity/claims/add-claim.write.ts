import { identityOperations, type LegBodyOf } from '@tallystick/wire'
import { type Address, getAddress, type Hex } from 'viem'
import { AppError, type Refuse } from '../../platform/app-error.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import {
  aboutWallet,
  confirmedFields,
  type IdentityState,
  latestReader,
  toSign,
  verificationOf,
  walletWrite,
} from '../register/index.ts'
import { expiryAfter, hashOfInput, isZeroHash, needsProof, type Slot } from '../values/index.rules.ts'
import { requireSlot } from './claim-request.ts'
import { filedClaim, isFiled } from './filed-claim.ts'

type AddBody = LegBodyOf<typeof identityOperations.addClaim, 'build'>

function requireHandSlot(claimType: string | number): Slot {
  const slot = requireSlot(claimType)
  if (needsProof(slot)) throw new AppError('PROOF_REQUIRED')
  return slot
}

function requireDataHash(
  { dataHash, dataInput }: AddBody,
  slot: Slot,
  wallet: Address,
  refuse: Refuse<'INVALID_HASH'>,
): Hex {
  const hash = dataHash ?? (dataInput?.trim() ? hashOfInput(slot, dataInput, wallet) : undefined)
  const given = hash === undefined ? null : loweredHex(hash)
  if (given === null || isZeroHash(given)) throw refuse('INVALID_HASH')
  return given
}

const ACTIVE_OR_SOFT_EXPIRED = 1
const isActive = ({ isRegistered, statusCode }: IdentityState) => isRegistered && statusCode <= ACTIVE_OR_SOFT_EXPIRED

/** Filling a slot by hand. */
export const addClaim = walletWrite(identityOperations.addClaim, {
  precheck: ({ claimType }) => void requireHandSlot(claimType),

  async build({ body, refuse, ...found }) {
    const { register, chain, wallets, wallet } = found
    const slot = requireHandSlot(body.claimType)
    const dataHash = requireDataHash(body, slot, wallet, refuse)
    if (register.kind === 'TREX' && body.expiryDays) throw refuse('INVALID_EXPIRY')
    const reader = latestReader(chain)
    if (!isActive(await register.identity(reader, wallet)))
      throw refuse('ADD_CLAIM_FAILED', { detail: 'Claims are added to an active identity only.' })
    const block = reader.block()
    const expiry = expiryAfter(body.expiryDays, block.time)
    const request = { slot, dataHash, expiry, signature: body.signature as Hex | undefined }
    const [planned] = await register.planClaims(reader, wallet, [request], { wallets, failed: 'ADD_CLAIM_FAILED' })
    if (!planned) throw new Error('a claim without a plan')
    const claim = {
      ...aboutWallet(found),
      description: `Files a claim on ${slot.name} for ${getAddress(wallet)}.`,
      claimType: slot.name,
      dataHash,
      expiry,
    }
    if ('toSign' in planned) {
      const { message, claimIssuer, signerAddress } = planned.toSign
      const messages = [{ claimType: slot.name, message, claimIssuer, signerAddress }]
      return {
        block,
        whole: { action: 'SIGN_MESSAGES' as const, messages, ...claim, resendWith: { field: 'signature' as const } },
      }
    }
    return toSign(found, reader, planned.call, claim)
  },

  async evidence({ register, chain, wallet, body, refuse }) {
    const place = await register.claimPlace(latestReader(chain), wallet, requireHandSlot(body.claimType))
    return {
      ...place,
      refuse(transaction) {
        const mismatch = place.mismatch(transaction)
        if (mismatch === 'wallet') return refuse('TX_TARGET_MISMATCH')
        return mismatch && refuse('ADD_CLAIM_FAILED', { detail: 'The transaction filled another slot.' })
      },
    }
  },

  async along(proof, request) {
    const { wallet, body, refuse } = request
    if (!(await isFiled(request, wallet, requireHandSlot(body.claimType), proof)))
      throw refuse('ADD_CLAIM_FAILED', { detail: 'The claim is not active at the block of the receipt.' })
    return { seen: undefined }
  },

  proven: async (proof, request) => ({
    ...confirmedFields(request, proof.transaction),
    claimType: requireHandSlot(request.body.claimType).name,
    ...filedClaim(proof),
    verification: await verificationOf(request, request.wallet, proof.transaction),
  }),
})

import { getAddress, type Hex } from 'viem'
import { AppError, type Refuse } from '../../platform/app-error.ts'
import type { Effect } from '../../platform/chain/call-pair.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { readTransaction } from '../../platform/chain/transaction.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import type { ConfirmedCandidate, Evidence } from '../../writes/index.ts'
import {
  type ClaimState,
  confirmedFields,
  latestReader,
  pastReader,
  type RevocationEvidence,
  thenAndNow,
  toSign,
  verificationOf,
  type WalletOnRegister,
} from '../register/index.ts'
import type { Slot } from '../values/index.rules.ts'
import { requireSlot } from './claim-request.ts'

// Emptying a slot, whoever filled it. Two operations do it, each with codes of its own; one of them also keeps a ledger.

type Failed = 'REVOKE_CLAIM_FAILED' | 'REVOKE_PROOF_FAILED'

interface Revocation<C extends Failed> extends WalletOnRegister {
  readonly body: { readonly claimType: string | number; readonly txHash?: string }
  readonly refuse: Refuse<C>
}

const ofSlot = (claims: readonly ClaimState[], slot: Slot) => claims.filter((claim) => claim.slot.index === slot.index)

export async function buildRevocation<C extends Failed>({ refuse, body, ...found }: Revocation<C>, failed: C) {
  const { register, chain, wallet } = found
  const slot = requireSlot(body.claimType)
  const reader = latestReader(chain)
  const claim = ofSlot(await register.claims(reader, wallet), slot).find(({ isActive }) => isActive)
  if (!claim) throw refuse(failed, { detail: `${getAddress(wallet)} has no active claim on ${slot.name}.` })
  return toSign(found, reader, register.planRevocation(wallet, claim), {
    claimType: slot.name,
    description: `Revokes the claim on ${slot.name} of ${getAddress(wallet)}.`,
  })
}

/** An issuer of ONCHAINID claims names only a signature, so the claims of the wallet at that block are the evidence. */
async function claimsThen({ register, chain, wallet }: WalletOnRegister, txHash: Hex): Promise<RevocationEvidence> {
  const transaction = await readTransaction(chain, loweredHex(txHash))
  if (!transaction) throw new AppError('TX_NOT_FOUND')
  const then = await chainOrNull(register.claims(pastReader(chain, transaction.block), wallet))
  return { transaction, claims: then ?? (await register.claims(latestReader(chain), wallet)) }
}

export async function revocationEvidence<C extends Failed>(
  request: Revocation<C>,
  failed: C,
  mismatched: { readonly wallet: () => AppError; readonly slot: (detail: string) => AppError },
): Promise<Evidence<Effect>> {
  const { register, wallet, body, refuse } = request
  const slot = requireSlot(body.claimType)
  const place = await register.revocationPlace(wallet, slot, () => claimsThen(request, body.txHash as Hex))
  if (!place) throw refuse(failed, { detail: `No trusted issuer ever filed a claim on ${slot.name} for the wallet.` })
  return {
    ...place,
    refuse(transaction) {
      const mismatch = place.mismatch(transaction)
      if (mismatch === 'wallet') return mismatched.wallet()
      return mismatch && mismatched.slot('The transaction revokes another claim.')
    },
  }
}

/** The slot must be empty at the block of the receipt; filled again afterwards, the answer says so. */
export async function requireEmptied<C extends Failed>(
  { transaction, logIndex }: ConfirmedCandidate,
  request: Revocation<C>,
  failed: C,
): Promise<{ reissued: boolean }> {
  const { register, wallet, body, refuse } = request
  const slot = requireSlot(body.claimType)
  const { then, now } = await thenAndNow(request, transaction, (reader) => register.claims(reader, wallet))
  const emitter = transaction.logs.find((log) => log.logIndex === logIndex)?.address
  // Other issuers may have claims on the same topic of an ONCHAINID: the one that revoked is meant.
  const isMeant = ({ issuer }: ClaimState) => register.kind === 'TALLYSTICK' || issuer === emitter
  const isActive = (claims: readonly ClaimState[]) =>
    ofSlot(claims, slot).some((claim) => claim.isActive && isMeant(claim))
  if (then ? isActive(then) : isActive(now)) {
    if (!then) throw new AppError('CHAIN_UNAVAILABLE', { detail: 'No node remembers the block of the receipt.' })
    throw refuse(failed, {
      detail: 'The slot holds an active claim at the block of the receipt: it was filled again in the same block.',
    })
  }
  return { reissued: isActive(now) }
}

export const revokedFields = async (
  { transaction }: Pick<ConfirmedCandidate, 'transaction'>,
  request: WalletOnRegister & { readonly body: { readonly claimType: string | number } },
) => ({
  ...confirmedFields(request, transaction),
  claimType: requireSlot(request.body.claimType).name,
  verification: await verificationOf(request, request.wallet, transaction),
})

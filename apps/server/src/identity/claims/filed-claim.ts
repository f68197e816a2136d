import type { Address, Hex } from 'viem'
import type { ConfirmedCandidate } from '../../writes/index.ts'
import { type FoundRegister, thenAndNow } from '../register/index.ts'
import { dataHashOf, type Slot } from '../values/index.rules.ts'

/** What an event of either kind of contract says was filed. */
export function filedClaim({ effect }: Pick<ConfirmedCandidate, 'effect'>): { dataHash: Hex; expiry: number | null } {
  if (effect.dataHash !== undefined) return { dataHash: String(effect.dataHash) as Hex, expiry: Number(effect.expiry) }
  return { dataHash: dataHashOf(String(effect.data) as Hex), expiry: null }
}

/** Is what was filed there at the block of the receipt? A node that has forgotten the block is asked about now. */
export async function isFiled(found: FoundRegister, wallet: Address, slot: Slot, proof: ConfirmedCandidate) {
  const { then, now } = await thenAndNow(found, proof.transaction, (reader) => found.register.claims(reader, wallet))
  const { dataHash } = filedClaim(proof)
  return (then ?? now).some((claim) => claim.slot.index === slot.index && claim.isActive && claim.dataHash === dataHash)
}

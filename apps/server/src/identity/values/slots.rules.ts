import { type ClaimSlot, claimSlots } from '@tallystick/wire'
import { hexToBigInt, keccak256, toHex } from 'viem'

export interface Slot {
  readonly index: number
  readonly name: ClaimSlot
}

const slots: readonly Slot[] = claimSlots.map((name, index) => ({ index, name }))

/** By its name in any case, or by its index as a number; null: no such slot. Digits in a string name none. */
export function slotOf(claimType: string | number): Slot | null {
  if (typeof claimType === 'number') return slots[claimType] ?? null
  const wanted = claimType.toUpperCase()
  return slots.find(({ name }) => name === wanted) ?? null
}

export function slotAt(index: number): Slot {
  const slot = slots[index]
  if (!slot) throw new Error(`an identity has no slot ${index}`)
  return slot
}

/** Filled by proofs, never by hand: a rule of this interface, not of the contract. */
const ofProofs: ReadonlySet<ClaimSlot> = new Set(['KYC', 'ACCREDITATION', 'RESIDENCY', 'CITIZENSHIP'])
export const needsProof = ({ name }: Slot): boolean => ofProofs.has(name)

const slotOfField: Readonly<Record<string, ClaimSlot>> = {
  root: 'KYC',
  investorType: 'ACCREDITATION',
  country: 'RESIDENCY',
  nationality: 'CITIZENSHIP',
}

/** The slot that the field of a proof belongs to, when it has one of its own. */
export function canonicalSlot(fieldName: string): Slot | null {
  const name = Object.hasOwn(slotOfField, fieldName) ? slotOfField[fieldName] : undefined
  return name ? slotOf(name) : null
}

/** Where a slot stands on an ONCHAINID: KYC under the first topic that the registry asks for, the others under their names. */
export function topicOf({ name }: Slot, requiredTopics: readonly bigint[]): bigint {
  const [first] = requiredTopics
  return name === 'KYC' && first !== undefined ? first : hexToBigInt(keccak256(toHex(name)))
}

export const everySlot: readonly Slot[] = slots

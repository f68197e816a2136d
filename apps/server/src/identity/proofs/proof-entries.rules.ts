import type { Hex } from 'viem'
import type { AppCode } from '../../platform/app-error.ts'
import { loweredHex } from '../../platform/values/hex.rules.ts'
import { canonicalSlot, type Slot, slotOf } from '../values/index.rules.ts'

export interface EntryRequest {
  readonly fieldName: string
  readonly claimType?: string | number | undefined
  readonly proofDigest: string
  readonly dataHash?: string | undefined
  readonly expiryDays?: number | undefined
  readonly signature?: string | undefined
}

export interface ProofEntry {
  readonly fieldName: string
  readonly slot: Slot
  /** The slot is not the one that this field usually fills. */
  readonly isUnusual: boolean
  readonly proofDigest: Hex
  readonly dataHash: Hex
  readonly expiryDays: number
  readonly signature: Hex | undefined
}

export interface EntryFault {
  readonly code: AppCode
  readonly field: string
  readonly message: string
}

const MOST_ENTRIES = 8
const LONGEST_NAME = 128
// biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are what is refused
const controls = /[\u0000-\u001f\u007f]/

const isFieldName = (name: string) => name.length > 0 && name.length <= LONGEST_NAME && !controls.test(name)
const zeroHash = /^0x0{64}$/

function readEntry(request: EntryRequest, place: string): ProofEntry | EntryFault {
  const { fieldName, claimType } = request
  const fault = (code: AppCode, field: string, message: string) => ({ code, field: `${place}.${field}`, message })
  if (!isFieldName(fieldName)) return fault('INVALID_FIELD', 'fieldName', 'must be 1 to 128 characters on one line')
  const usual = canonicalSlot(fieldName)
  const slot = claimType === undefined ? usual : slotOf(claimType)
  if (!slot)
    return claimType === undefined
      ? fault('SLOT_REQUIRED', 'claimType', 'is required: this field has no slot of its own')
      : fault('INVALID_CLAIM_TYPE', 'claimType', 'must name a slot, or be a number of 0 to 7')
  const dataHash = loweredHex(request.dataHash ?? request.proofDigest)
  if (zeroHash.test(dataHash)) return fault('INVALID_ENTRY', 'dataHash', 'may not be zero')
  return {
    fieldName,
    slot,
    isUnusual: usual !== null && usual.index !== slot.index,
    proofDigest: loweredHex(request.proofDigest),
    dataHash,
    expiryDays: request.expiryDays ?? 0,
    signature: request.signature as Hex | undefined,
  }
}

const isFault = (read: ProofEntry | EntryFault): read is EntryFault => 'code' in read

/** Every entry, or the first thing that is wrong with one. */
export function readEntries(requests: readonly EntryRequest[] | undefined): ProofEntry[] | EntryFault {
  if (!requests || requests.length === 0) return { code: 'NO_ENTRIES', field: 'entries', message: 'must hold a proof' }
  if (requests.length > MOST_ENTRIES)
    return { code: 'TOO_MANY_ENTRIES', field: 'entries', message: `may hold ${MOST_ENTRIES} proofs` }
  const entries: ProofEntry[] = []
  for (const [index, request] of requests.entries()) {
    const place = `entries.${index}`
    const entry = readEntry(request, place)
    if (isFault(entry)) return entry
    if (entries.some(({ fieldName }) => fieldName === entry.fieldName))
      return { code: 'DUPLICATE_FIELD', field: `${place}.fieldName`, message: 'stands further up already' }
    if (entries.some(({ slot }) => slot.index === entry.slot.index))
      return { code: 'DUPLICATE_SLOT', field: `${place}.claimType`, message: 'is filled further up already' }
    entries.push(entry)
  }
  return entries
}

interface TransactionResult {
  readonly fieldName: string
  readonly txHash: string
}

/** The transaction of each entry, or the first result that belongs to none. */
export function resultsByField(
  entries: readonly ProofEntry[],
  results: readonly TransactionResult[],
): Map<string, Hex> | EntryFault {
  const byField = new Map<string, Hex>()
  for (const [index, { fieldName, txHash }] of results.entries()) {
    const field = `txResults.${index}.fieldName`
    if (!entries.some((entry) => entry.fieldName === fieldName))
      return { code: 'INVALID_FIELD', field, message: 'is none of the entries' }
    if (byField.has(fieldName)) return { code: 'DUPLICATE_FIELD', field, message: 'stands further up already' }
    byField.set(fieldName, txHash as Hex)
  }
  return byField
}

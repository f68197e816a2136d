import { type Address, getAddress } from 'viem'
import { parseAddress } from '../../platform/values/address.rules.ts'
import { type InvestorInput, type InvestorRequest, isFault, readInvestor } from '../values/index.rules.ts'

export interface BatchRequest extends InvestorRequest {
  readonly walletAddress: string
}

export interface AcceptedEntry extends InvestorInput {
  /** Place in the request. */
  readonly index: number
  readonly wallet: Address
}

export interface RejectedEntry {
  readonly index: number
  readonly walletAddress: string
  readonly code: string
  readonly message: string
}

/** Which entries can be verified, in their order, and why the others cannot. */
export function sortEntries(
  requests: readonly BatchRequest[],
  times: { now: number; at: Date },
): { accepted: AcceptedEntry[]; rejected: RejectedEntry[] } {
  const accepted: AcceptedEntry[] = []
  const rejected: RejectedEntry[] = []
  const seen = new Set<Address>()
  for (const [index, request] of requests.entries()) {
    const { walletAddress } = request
    const reject = (code: string, message: string) => rejected.push({ index, walletAddress, code, message })
    const wallet = parseAddress(walletAddress)
    if (!wallet) {
      reject('INVALID_ADDRESS', 'walletAddress is no address with a valid checksum')
      continue
    }
    if (seen.has(wallet)) {
      reject('DUPLICATE_ADDRESS', 'the wallet stands further up in the list')
      continue
    }
    const input = readInvestor(request, wallet, times)
    if (isFault(input)) {
      reject(input.code, `${input.field} ${input.message}`)
      continue
    }
    seen.add(wallet)
    accepted.push({ ...input, index, wallet })
  }
  return { accepted, rejected }
}

/** The most that a transaction may use on chains that follow EIP-7825. */
const TRANSACTION_GAS = 16_777_216
/** A first verification takes 72,000 and its calldata up to 3,500; the registry wants 120,000 in hand before each. */
const ENTRY_GAS = 78_000
const BASE_GAS = 200_000

export const entriesPerTransaction = Math.floor((TRANSACTION_GAS - BASE_GAS) / ENTRY_GAS)

/** An estimate is of no use: with less gas the registry does less instead of failing. */
export const batchGasLimit = (entries: number): number => Math.min(TRANSACTION_GAS, BASE_GAS + entries * ENTRY_GAS)

export interface BatchOutcome {
  readonly verified: readonly AcceptedEntry[]
  readonly skipped: readonly AcceptedEntry[]
  readonly notProcessed: readonly AcceptedEntry[]
}

/** What became of the entries, by what the registry told; null: it was another batch. */
export function outcomeOf(
  accepted: readonly AcceptedEntry[],
  told: { processed: number; total: number; failed: readonly number[] },
  verifiedWallets: ReadonlySet<string>,
): BatchOutcome | null {
  if (told.total !== accepted.length) return null
  const failed = new Set(told.failed)
  const reached = accepted.slice(0, told.processed)
  const verified = reached.filter((_, place) => !failed.has(place))
  if (verified.some(({ wallet }) => !verifiedWallets.has(wallet))) return null
  return {
    verified,
    skipped: reached.filter((_, place) => failed.has(place)),
    notProcessed: accepted.slice(told.processed),
  }
}

export const shownEntry = ({ index, wallet }: AcceptedEntry) => ({ index, walletAddress: getAddress(wallet) })

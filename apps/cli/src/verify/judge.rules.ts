import {
  type AnsweredCall,
  addressesIn,
  disagreements,
  isOfKnownToken,
  type Rendered,
} from '@tallystick/server/clear-signing'
import { type Address, formatUnits, maxUint256 } from 'viem'
import type { Answer } from './answer.rules.ts'
import { type Finding, type FindingCode, finding } from './findings.rules.ts'

/** A contract that the record or a factory on it vouches for. */
export interface KnownContract {
  /** The kind, as the descriptors call it. */
  readonly name: string
  /** Who vouches for it, in words. */
  readonly because: string
  /** Tokens that it deals in, by the names that the descriptor gives them. Null: any that it is told of. */
  readonly tokens: Readonly<Record<string, Address>> | null
}

/** What the node says of a call. */
export interface CallFacts {
  readonly hasCode: boolean
  readonly contract: KnownContract | null
  /** What a proxy runs, where the record has an implementation of its kind. */
  readonly implementation: { readonly runs: Address; readonly recorded: Address } | null
  /** What the descriptor of its kind says; null: it has no such function. */
  readonly rendered: Rendered | null
  /** Whom an allowance is for, where the call gives one. */
  readonly spender: { readonly address: Address; readonly contract: KnownContract | null } | null
}

export interface Move {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

export interface Simulated {
  readonly success: boolean
  readonly error: string | null
  readonly moves: readonly Move[]
  readonly allowances: readonly Move[]
}

export interface Facts {
  readonly chainId: number
  readonly recordChainId: number
  /** Names on record where other code stands. */
  readonly notOurs: readonly string[]
  readonly calls: readonly CallFacts[]
  /** Null: not tried. */
  readonly simulated: Simulated | null
}

export interface Holder {
  /** The wallet that is going to sign. */
  readonly from?: Address
  /** Contracts that the holder knows from elsewhere. */
  readonly known: readonly Address[]
  /** What the holder asked for, in their own words. */
  readonly request?: unknown
}

const about: Record<'address' | 'amount' | 'figure', FindingCode> = {
  address: 'ADDRESS_MISMATCH',
  amount: 'AMOUNT_MISMATCH',
  figure: 'FIGURE_MISMATCH',
}

function ofChain({ chainId, at }: AnsweredCall, facts: Facts): Finding[] {
  if (chainId === null) return [finding('CHAIN_UNSAID', at, `The node is of chain ${facts.chainId}.`)]
  if (chainId === facts.chainId) return []
  return [finding('CHAIN_MISMATCH', at, `The call is for ${chainId}, the node is of ${facts.chainId}.`)]
}

function ofContract({ to, at }: AnsweredCall, facts: CallFacts, { known }: Holder): Finding[] {
  if (to === null) return [finding('CREATES_CONTRACT', at)]
  if (!facts.hasCode) return [finding('CONTRACT_MISSING', at, to)]
  if (!facts.contract && !known.includes(to)) return [finding('CONTRACT_UNKNOWN', at, to)]
  const { implementation } = facts
  return implementation && implementation.runs !== implementation.recorded
    ? [finding('IMPLEMENTATION_NOT_CURRENT', at, `It runs ${implementation.runs}.`)]
    : []
}

function ofWords(call: AnsweredCall, { rendered }: CallFacts, { from }: Holder): Finding[] {
  if (call.to === null) return []
  if (!rendered) return [finding('FUNCTION_UNKNOWN', call.at, call.data.slice(0, 10))]
  const { functionName, description, at } = call
  const signer = from ?? call.signer
  const other =
    functionName !== null && functionName !== rendered.functionName
      ? [finding('FUNCTION_MISMATCH', at, `It says ${functionName}, and the call is ${rendered.functionName}.`)]
      : []
  if (description === null) return other
  const asSigned = { to: call.to, data: call.data, ...(signer ? { from: signer } : {}) }
  const faults = disagreements(description, asSigned, rendered)
  return [...other, ...faults.map(({ about: what, said }) => finding(about[what], at, `It says ${said}.`))]
}

function ofAllowance({ to, at }: AnsweredCall, { spender, rendered }: CallFacts, { known }: Holder): Finding[] {
  if (!spender || to === null) return []
  const isUnlimited = rendered?.fields.some(({ values }) => values.includes(maxUint256)) === true
  const unlimited = isUnlimited ? [finding('ALLOWANCE_UNLIMITED', at)] : []
  const { address, contract } = spender
  if (!contract) return known.includes(address) ? unlimited : [...unlimited, finding('SPENDER_UNKNOWN', at, address)]
  const tokens = contract.tokens === null ? null : Object.values(contract.tokens)
  return tokens === null || tokens.includes(to)
    ? unlimited
    : [...unlimited, finding('TOKEN_NOT_OF_CONTRACT', at, `${address} deals in ${tokens.join(', ') || 'none'}.`)]
}

/** Every text and number in what the holder asked for, lower-cased. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(wordsIn)
  return [String(value).toLowerCase()]
}

const MOST_DECIMALS = 36
/** A signed price comes from the oracle, not from the holder. */
const PRICE = /(^|\.)price_?$/i

/** How a holder may have written an amount: whole tokens or smallest units; in any decimals where nobody knows those of the token. */
function writingsOf(raw: bigint, shown: string): string[] {
  const whole = shown.split(' ')[0] ?? ''
  if (isOfKnownToken(shown)) return [whole, raw.toString()]
  return Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => formatUnits(raw, decimals))
}

/** What a call carries, and its holder never asked for: a wallet that gets something, or another amount. */
function ofRequest(call: AnsweredCall, { rendered, spender }: CallFacts, { request, from }: Holder): Finding[] {
  if (request === undefined || !rendered) return []
  const words = new Set(wordsIn(request))
  const own = [call.to, call.signer, from, spender?.contract ? spender.address : undefined]
  const strangers = addressesIn(rendered).filter(
    (address) => !words.has(address) && !own.includes(address) && BigInt(address) !== 0n,
  )
  const amounts = rendered.fields
    .filter(({ format, path }) => format === 'tokenAmount' && !PRICE.test(path))
    .flatMap(({ values, texts }) =>
      values.map((value, at) => ({ raw: BigInt(value as bigint), shown: texts[at] ?? '' })),
    )
    .filter(({ raw, shown }) => raw !== 0n && !writingsOf(raw, shown).some((text) => words.has(text)))
    .map(({ shown }) => shown)
  return [...strangers, ...amounts].map((what) => finding('NOT_REQUESTED', call.at, what))
}

function ofSigner({ signer, at }: AnsweredCall, { from }: Holder): Finding[] {
  if (from === undefined) return signer === null ? [finding('SIGNER_UNKNOWN', at)] : []
  return signer === null || signer === from ? [] : [finding('SIGNER_MISMATCH', at, `It is for ${signer}.`)]
}

function ofSimulation({ success }: Answer, { simulated }: Facts): Finding[] {
  if (!simulated) return [finding('NOT_SIMULATED', '')]
  if (simulated.success) return []
  const why = simulated.error ?? undefined
  return [success === true ? finding('SIMULATION_DIFFERS', '', why) : finding('WOULD_REVERT', '', why)]
}

/** Everything that speaks against signing, from the answer, the node and the record: no word of the server is taken for true. */
export function judge(answer: Answer, facts: Facts, holder: Holder): Finding[] {
  const record =
    facts.recordChainId === facts.chainId
      ? facts.notOurs.map((name) => finding('RECORD_NOT_OURS', '', name))
      : [finding('RECORD_OF_ANOTHER_CHAIN', '', `The record is of ${facts.recordChainId}.`)]
  const ofCalls = answer.calls.flatMap((call, index) => {
    const seen = facts.calls[index]
    const value =
      call.value !== null && BigInt(call.value) !== 0n ? [finding('VALUE_NOT_ZERO', call.at, call.value)] : []
    if (!seen) return [...ofChain(call, facts), ...value]
    return [
      ...ofChain(call, facts),
      ...value,
      ...ofContract(call, seen, holder),
      ...ofWords(call, seen, holder),
      ...ofAllowance(call, seen, holder),
      ...ofRequest(call, seen, holder),
      ...ofSigner(call, holder),
    ]
  })
  return [...answer.findings, ...record, ...ofCalls, ...ofSimulation(answer, facts)]
}

import { type AnsweredCall, callsIn, signedContracts } from '@tallystick/server/clear-signing'
import { type Address, decodeFunctionData, type Hex, isAddress, parseAbi } from 'viem'
import { type Finding, finding } from './findings.rules.ts'

export interface Answer {
  readonly calls: readonly AnsweredCall[]
  /** What the server said would happen; null: it said nothing. */
  readonly success: boolean | null
  readonly findings: readonly Finding[]
}

const safeAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])
const EXEC_TRANSACTION = '0x6a761202'

type Fields = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Every place where a transaction of a Safe asks for a delegate call. */
function delegateCallsIn(value: unknown, at: string): string[] {
  if (!isObject(value)) return []
  const own = 'to' in value && 'data' in value && String(value.operation) === '1' ? [at] : []
  return [...own, ...Object.entries(value).flatMap(([name, member]) => delegateCallsIn(member, `${at}.${name}`))]
}

/** What a Safe is asked to do, signed by the Safe; any other call is what it is. */
function unwrapped(call: AnsweredCall): { call: AnsweredCall; delegates: boolean } {
  if (call.to === null || !call.data.startsWith(EXEC_TRANSACTION)) return { call, delegates: false }
  try {
    const { args } = decodeFunctionData({ abi: safeAbi, data: call.data })
    const [to, value, data, operation] = args
    const inner = {
      to: to.toLowerCase() as Address,
      data,
      value: value.toString(),
      signer: call.to,
      functionName: null,
    }
    return { call: { ...call, ...inner, at: `${call.at} (inside the Safe ${call.to})` }, delegates: operation !== 0 }
  } catch {
    return { call, delegates: false }
  }
}

/** An answer may show a call in two places, such as alone and as the first of its steps. A list may hold the same call twice and mean it. */
function withoutCopies(calls: readonly AnsweredCall[]): AnsweredCall[] {
  /** Null: it stands alone. */
  const listOf = ({ at }: AnsweredCall) => /^(.+)\[\d+\]/.exec(at)?.[1] ?? null
  return calls.filter((call, index) => {
    const list = listOf(call)
    const same = calls.flatMap((other, at) =>
      other.to === call.to && other.data === call.data ? [{ list: listOf(other), isBefore: at < index }] : [],
    )
    // The one in a list stays: it has its place among the others.
    return list === null
      ? !same.some((other) => other.list !== null || other.isBefore)
      : !same.some((other) => other.isBefore && other.list !== null && other.list !== list)
  })
}

/** The file that the Transaction Builder of a Safe opens. */
function safeFile(value: Fields): Fields | null {
  if (!Array.isArray(value.transactions) || typeof value.version !== 'string') return null
  return { chainId: Number(value.chainId), transactions: value.transactions }
}

/** The calls of an answer, of its data alone, or of a Safe's file. */
export function readAnswer(text: string): Answer {
  const unreadable = (detail: string): Answer => ({
    calls: [],
    success: null,
    findings: [finding('ANSWER_UNREADABLE', '', detail)],
  })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return unreadable('It is no JSON.')
  }
  if (!isObject(parsed)) return unreadable('It is no object.')
  if (parsed.success === false) return unreadable('It is a refusal.')
  const data = safeFile(parsed) ?? ('data' in parsed && isObject(parsed.data) ? parsed.data : parsed)
  const found = withoutCopies(callsIn(data)).map(unwrapped)
  if (found.length === 0) return unreadable('It asks nobody to sign anything.')
  const wrapped = found.filter(({ delegates }) => delegates).map(({ call }) => call.at)
  const { simulation } = data as { simulation?: { simulated?: unknown; success?: unknown } }
  return {
    calls: found.map(({ call }) => call),
    success: simulation?.simulated === true ? simulation.success === true : null,
    findings: [...delegateCallsIn(data, 'data'), ...wrapped].map((at) => finding('SAFE_DELEGATECALL', at)),
  }
}

export interface DeploymentRecord {
  readonly chainId: number
  readonly contracts: readonly { readonly name: string; readonly address: Address }[]
}

/** Whether a contract of this name is one that calls go to, or that vouches for one; a record may name others. */
const vouches = (name: string): boolean =>
  name.endsWith('Implementation') ||
  signedContracts.some(({ recordedAs, factory }) => recordedAs.includes(name) || factory?.recordedAs === name)

/** As `tally contracts export` writes it, and as the file of the demo has it. Null: neither. */
export function readRecord(text: string): DeploymentRecord | null {
  try {
    const { chainId, contracts } = JSON.parse(text) as { chainId?: unknown; contracts?: unknown }
    if (!Number.isSafeInteger(chainId) || !isObject(contracts)) return null
    const listed = Object.entries(contracts)
      .filter(([name]) => vouches(name))
      .map(([name, address]) => ({
        name,
        address: String(address).toLowerCase(),
      }))
    if (listed.length === 0 || !listed.every(({ address }) => isAddress(address))) return null
    return { chainId: chainId as number, contracts: listed as { name: string; address: Hex }[] }
  } catch {
    return null
  }
}

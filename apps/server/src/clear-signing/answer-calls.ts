import { type Address, type Hex, isAddress, isHex } from 'viem'

/** A call that an answer asks somebody to sign, and what the answer says about it. */
export interface AnsweredCall {
  /** Null: the call creates a contract. */
  readonly to: Address | null
  readonly data: Hex
  readonly value: string | null
  readonly chainId: number | null
  readonly functionName: string | null
  readonly description: string | null
  /** Who the answer says must sign. */
  readonly signer: Address | null
  /** Where in the answer it stands. */
  readonly at: string
}

type Fields = Readonly<Record<string, unknown>>

/** How answers call the wallet that has to sign; the first that is there counts. */
const SIGNERS = [
  'requiredSigner',
  'signer',
  'signerAddress',
  'expectedSigner',
  'payerAddress',
  'userAddress',
  'fromAddress',
]

const addressOf = (value: unknown): Address | null =>
  typeof value === 'string' && isAddress(value, { strict: false }) ? (value.toLowerCase() as Address) : null
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCallData = (value: unknown): value is Hex => isHex(value) && value.length >= 10

/** What holds for everything under an object, unless it says otherwise itself. */
interface Around {
  readonly chainId: number | null
  readonly signer: Address | null
}

function aroundIn(fields: Fields, around: Around): Around {
  const signer = SIGNERS.map((name) => addressOf(fields[name])).find((found) => found !== null)
  return {
    chainId: typeof fields.chainId === 'number' ? fields.chainId : around.chainId,
    signer: signer ?? around.signer,
  }
}

/** A setup step says it in its sentence. */
const signerIn = (description: unknown): Address | null =>
  addressOf(/Signed by \w+ \((0x[0-9a-fA-F]{40})\)/.exec(String(description))?.[1])

function callOf(fields: Fields, transaction: Fields, around: Around, at: string): AnsweredCall {
  return {
    to: addressOf(transaction.to),
    data: transaction.data as Hex,
    value: textOf(transaction.value) ?? textOf(fields.value),
    chainId: typeof transaction.chainId === 'number' ? transaction.chainId : around.chainId,
    functionName: textOf(fields.functionName),
    description: textOf(fields.description),
    signer: around.signer ?? signerIn(fields.description),
    at,
  }
}

/** Every call in the data of an answer, in the order in which it stands there: one, its steps, or what follows it. */
export function callsIn(value: unknown, around: Around = { chainId: null, signer: null }, at = 'data'): AnsweredCall[] {
  if (Array.isArray(value)) return value.flatMap((element, index) => callsIn(element, around, `${at}[${index}]`))
  if (!isObject(value)) return []
  const inner = aroundIn(value, around)
  const { transaction } = value
  const ownTransaction = isObject(transaction) && isCallData(transaction.data) ? transaction : null
  const isCall = ownTransaction === null && addressOf(value.to) !== null && isCallData(value.data)
  const own = ownTransaction
    ? [callOf(value, ownTransaction, inner, `${at}.transaction`)]
    : isCall
      ? [callOf(value, value, inner, at)]
      : []
  const beside = Object.entries(value).filter(([name]) => name !== 'transaction' && name !== 'simulation')
  return [...own, ...beside.flatMap(([name, member]) => callsIn(member, inner, `${at}.${name}`))]
}

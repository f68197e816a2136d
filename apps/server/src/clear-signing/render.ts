import {
  type AbiFunction,
  type Address,
  decodeFunctionData,
  formatUnits,
  getAddress,
  type Hex,
  isAddress,
  parseAbiItem,
  toFunctionSelector,
} from 'viem'
import type { Descriptor, Field, FunctionFormat } from './descriptor.ts'

/** A call as a wallet is asked to sign it. */
export interface SignedCall {
  readonly to: Address
  readonly data: Hex
  /** The signer, where it is known. */
  readonly from?: Address
}

export interface TokenFacts {
  readonly symbol: string
  readonly decimals: number
}

export interface RenderedField {
  readonly path: string
  readonly label: string
  readonly format: Field['format']
  readonly text: string
  /** What the call carries there: one value, or one per element of an array; and how each is shown. */
  readonly values: readonly unknown[]
  readonly texts: readonly string[]
}

export interface Rendered {
  readonly contractName: string
  readonly functionName: string
  readonly intent: string
  readonly sentence: string
  readonly fields: readonly RenderedField[]
}

const selectors = new Map<string, { item: AbiFunction; selector: Hex }>()

/** A wallet has nothing but the fragment: it decodes by the types in it. */
function functionOf(fragment: string): { item: AbiFunction; selector: Hex } {
  const known = selectors.get(fragment)
  if (known) return known
  const item = parseAbiItem(`function ${fragment}`) as AbiFunction
  const made = { item, selector: toFunctionSelector(item) }
  selectors.set(fragment, made)
  return made
}

/** The values at a path, `.[]` meaning each element of an array. */
function valuesAt(root: unknown, path: string): unknown[] {
  return path
    .replace(/^#\./, '')
    .split('.')
    .reduce<unknown[]>(
      (found, step) =>
        found.flatMap((value) =>
          step === '[]' ? (value as unknown[]) : [(value as Record<string, unknown> | undefined)?.[step]],
        ),
      [root],
    )
}

interface Around {
  readonly call: SignedCall
  readonly args: unknown
  readonly descriptor: Descriptor
  readonly tokenOf: (address: Address) => TokenFacts | undefined
}

function tokenFor(params: Field['params'], { call, args, descriptor, tokenOf }: Around): TokenFacts | undefined {
  const { tokenPath, token } = params as { tokenPath?: string; token?: string }
  const name = token?.replace('$.metadata.constants.', '')
  const address =
    tokenPath === '@.to'
      ? call.to
      : tokenPath === undefined
        ? descriptor.metadata.constants?.[name ?? '']
        : valuesAt(args, tokenPath)[0]
  return typeof address === 'string' ? tokenOf(address.toLowerCase() as Address) : undefined
}

const twoDigits = (value: bigint) => value.toString().padStart(2, '0')

function durationText(seconds: bigint): string {
  return [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(twoDigits).join(':')
}

/** JavaScript knows no later moment; what is later is shown as the number that it is. */
const LAST_SECOND = 8_640_000_000_000n

/** How an amount ends whose token nobody could look up. */
const UNKNOWN_TOKEN = 'of an unknown token'

/** Whether an amount is shown in the decimals of its token. */
export const isOfKnownToken = (text: string): boolean => !text.endsWith(UNKNOWN_TOKEN)

function amountText(value: bigint, params: Field['params'], around: Around): string {
  const token = tokenFor(params, around)
  const { threshold, message } = params as { threshold?: string; message?: string }
  const isUnlimited = threshold !== undefined && value >= BigInt(threshold)
  if (!token) return isUnlimited ? `${message} ${UNKNOWN_TOKEN}` : `${value} smallest units ${UNKNOWN_TOKEN}`
  return `${isUnlimited ? message : formatUnits(value, token.decimals)} ${token.symbol}`
}

function textOf(value: unknown, { format, params }: Field, around: Around): string {
  if (format === 'tokenAmount') return amountText(BigInt(value as bigint), params, around)
  if (format === 'addressName') return getAddress(value as Address)
  if (format === 'unit') {
    const { base, decimals = 0 } = params as { base: string; decimals?: number }
    return `${formatUnits(BigInt(value as bigint), decimals)}${base === '' ? '' : ` ${base}`}`
  }
  if (format === 'date') {
    const seconds = BigInt(value as bigint)
    return seconds > LAST_SECOND ? seconds.toString() : new Date(Number(seconds) * 1000).toISOString()
  }
  if (format === 'duration') return durationText(BigInt(value as bigint))
  if (format === 'enum') {
    const name = String((params as { $ref: string }).$ref).replace('$.metadata.enums.', '')
    return around.descriptor.metadata.enums?.[name]?.[String(value)] ?? String(value)
  }
  return String(value)
}

function renderFields({ fields }: FunctionFormat, around: Around): RenderedField[] {
  return fields.map((field) => {
    const values = valuesAt(around.args, field.path)
    const texts = values.map((value) => textOf(value, field, around))
    const { path, label, format } = field
    return { path, label, format, text: texts.join(', '), values, texts }
  })
}

/** The format of the function that a call makes; undefined where the descriptor has none, so a wallet shows nothing of it. */
function formatFor({ display }: Descriptor, data: Hex) {
  const found = Object.entries(display.formats).find(([key]) => functionOf(key).selector === data.slice(0, 10))
  return found && { ...functionOf(found[0]), format: found[1] }
}

/**
 * What a wallet that follows the standard shows of a call. It knows the descriptor, the call and the tokens that it can look up, and
 * nothing of the server.
 */
export function render(
  descriptor: Descriptor,
  call: SignedCall,
  tokenOf: (address: Address) => TokenFacts | undefined = () => undefined,
): Rendered | undefined {
  const found = formatFor(descriptor, call.data)
  if (!found) return undefined
  const { item, format } = found
  const { args: given = [] } = decodeFunctionData({ abi: [item], data: call.data })
  const args = Object.fromEntries(item.inputs.map(({ name }, index) => [name, given[index]]))
  const fields = renderFields(format, { call, args, descriptor, tokenOf })
  const sentence = format.interpolatedIntent.replace(
    /\{([^{}]+)\}/g,
    (_, path: string) => fields.find((field) => field.path === path)?.text ?? path,
  )
  const { contractName } = descriptor.metadata
  return { contractName, functionName: item.name, intent: format.intent, sentence, fields }
}

/** Every address that a call names in its arguments. */
export const addressesIn = ({ fields }: Pick<Rendered, 'fields'>): Address[] =>
  fields
    .flatMap(({ values }) => values)
    .filter((value): value is Address => typeof value === 'string' && isAddress(value, { strict: false }))
    .map((address) => address.toLowerCase() as Address)

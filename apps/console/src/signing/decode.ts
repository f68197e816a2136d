import type { Address, Hex } from '@tallystick/sdk'
import { type AbiFunction, decodeFunctionData, parseAbiItem, toFunctionSelector } from 'viem'

/** A call in words: the function, and each argument with its name. */
export interface DecodedCall {
  readonly name: string
  readonly contract: string | undefined
  /** What it does, as a wallet would say it. */
  readonly sentence: string | undefined
  readonly arguments: readonly { readonly label: string; readonly value: string }[]
}

interface Format {
  readonly intent?: string
  readonly interpolatedIntent?: string
  readonly fields?: readonly DescribedField[]
}

interface DescribedField {
  readonly path: string
  readonly label: string
  readonly format?: string
}

interface Descriptor {
  readonly metadata?: { readonly contractName?: string }
  readonly display?: { readonly formats?: Readonly<Record<string, Format>> }
}

interface Index {
  readonly descriptors?: readonly { readonly descriptor: string; readonly functions: readonly string[] }[]
}

async function fetchJson<Data>(path: string): Promise<Data | undefined> {
  const response = await fetch(path, { credentials: 'same-origin' })
  return response.ok ? ((await response.json()) as Data) : undefined
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner))
    : String(value)

/** `terms.admin`, or `loanIds.[]`, which is the list as a whole. */
const valueAt = (named: unknown, path: string): unknown =>
  path
    .split('.')
    .filter((part) => part !== '[]')
    .reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], named)

/** An amount of a token needs its decimals, which a descriptor does not carry: then the intent alone is said. */
function sentenceOf(
  interpolated: string | undefined,
  intent: string | undefined,
  fields: readonly DescribedField[],
  named: unknown,
): string | undefined {
  if (interpolated === undefined) return intent
  const amounts = fields.filter(({ format }) => format === 'tokenAmount').map(({ path }) => `{${path}}`)
  if (amounts.some((place) => interpolated.includes(place))) return intent
  return interpolated.replace(/\{([^}]+)\}/g, (_, path: string) => textOf(valueAt(named, path)))
}

function decodeWith({ metadata, display }: Descriptor, data: Hex): DecodedCall | undefined {
  for (const [signature, { intent, interpolatedIntent, fields = [] }] of Object.entries(display?.formats ?? {})) {
    const item = parseAbiItem(`function ${signature}`) as AbiFunction
    if (toFunctionSelector(item) !== data.slice(0, 10)) continue
    const { args = [] } = decodeFunctionData({ abi: [item], data })
    const named = Object.fromEntries(item.inputs.map(({ name = '' }, at) => [name, (args as unknown[])[at]]))
    return {
      name: item.name,
      contract: metadata?.contractName,
      sentence: sentenceOf(interpolatedIntent, intent, fields, named),
      // Every argument has a field: nothing that is signed stays hidden.
      arguments: fields.map(({ path, label }) => ({ label, value: textOf(valueAt(named, path)) })),
    }
  }
  return undefined
}

/** Decoded with the descriptors that wallets read too: first that of the very contract, then whichever kind knows the function. */
export async function decodeCall(chainId: number, to: Address | null, data: Hex): Promise<DecodedCall | undefined> {
  if (to === null) return undefined
  const own = await fetchJson<Descriptor>(`/.well-known/erc7730/${chainId}/${to}.json`)
  const decoded = own ? decodeWith(own, data) : undefined
  if (decoded) return decoded
  const index = await fetchJson<Index>('/.well-known/erc7730/index.json')
  const selector = data.slice(0, 10)
  const knows = (signature: string) =>
    toFunctionSelector(parseAbiItem(`function ${signature}`) as AbiFunction) === selector
  const kind = index?.descriptors?.find(({ functions }) => functions.some(knows))
  const descriptor = kind ? await fetchJson<Descriptor>(kind.descriptor) : undefined
  const alike = descriptor ? decodeWith(descriptor, data) : undefined
  // It has the same function; that makes it no contract of that name.
  return alike && { ...alike, contract: undefined }
}

import { parseUnits } from 'viem'
import { addressesIn, isOfKnownToken, type Rendered, type SignedCall } from './render.ts'

const ADDRESS = /0x[0-9a-fA-F]{40}\b/g
/** A figure before a word with a capital letter, which is how symbols of tokens are written. */
const AMOUNT = /(?<![\w.])(\d+(?:\.\d+)?) (?=[a-z]*[A-Z])/g
/** Figures that can only be arguments, by the words around them. */
const NAMED = [/\bloan (\d+)/g, /\b(?:proposal|batch|auction|liquidation) (\d+)/g, /(\d+) (?:bps|smallest units)\b/g]
/** Contracts that belong to one wallet, or sign for many: whose claim it is, their calls do not say. */
const OF_A_HOLDER: readonly string[] = ['OnchainIdentity', 'ClaimIssuer']
/** No token has more. */
const MOST_DECIMALS = 36

const all = (text: string, form: RegExp) => [...text.matchAll(form)].map((match) => match[1] ?? match[0])

interface Amount {
  readonly raw: bigint
  /** As it is shown, with the symbol of its token. */
  readonly shown: string
}

/** By the decimals of the token; where it could not be looked up, by any. */
function isAmountOf(text: string, { raw, shown }: Amount): boolean {
  if (isOfKnownToken(shown)) return shown.split(' ')[0] === text
  const fraction = text.split('.')[1]?.length ?? 0
  for (let decimals = fraction; decimals <= MOST_DECIMALS; decimals++)
    if (parseUnits(text, decimals) === raw) return true
  return false
}

/** Something that a description says of a call, and that the call does not carry. */
export interface Disagreement {
  readonly about: 'address' | 'figure' | 'amount'
  readonly said: string
}

/**
 * Where a sentence of the server says something of a call that the call does not carry. A descriptor cannot know what the server read
 * from the chain, so the two sentences need not be equal. They agree when
 * - every address in the description is the contract, an argument, or the signer. Where nobody says who signs and the sentence speaks of the signer,
 *   one address may be it. Whose claim of ERC-735 a call is about, no call of that standard says.
 * - every loan, proposal and rate is an argument.
 * - every amount of a token is an argument, unless the call carries none at all: then it is what the server read.
 */
export function disagreements(description: string, call: SignedCall, rendered: Rendered): Disagreement[] {
  const known = new Set([...addressesIn(rendered), call.to.toLowerCase(), call.from?.toLowerCase()])
  const named = OF_A_HOLDER.includes(rendered.contractName) ? [] : (description.match(ADDRESS) ?? [])
  const unknown = named.filter((address) => !known.has(address.toLowerCase()))
  const mayBeSigner = call.from === undefined && rendered.sentence.includes('the signer') && unknown.length === 1
  const strangers = mayBeSigner ? [] : unknown
  const figures = rendered.fields.flatMap(({ values }) => values).map(String)
  const amounts = rendered.fields
    .filter(({ format }) => format === 'tokenAmount')
    .flatMap(({ values, texts }) =>
      values.map((value, at) => ({ raw: BigInt(value as bigint), shown: texts[at] ?? '' })),
    )
  const strange = NAMED.flatMap((form) => all(description, form)).filter((figure) => !figures.includes(figure))
  const wrong =
    amounts.length === 0
      ? []
      : all(description, AMOUNT).filter((text) => !amounts.some((amount) => isAmountOf(text, amount)))
  return [
    ...strangers.map((said) => ({ about: 'address' as const, said })),
    ...strange.map((said) => ({ about: 'figure' as const, said })),
    ...wrong.map((said) => ({ about: 'amount' as const, said })),
  ]
}

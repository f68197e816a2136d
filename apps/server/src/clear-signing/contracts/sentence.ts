import type { Abi, AbiFunction, AbiParameter } from 'viem'

/** How one argument is shown, where its name and type do not say it. */
export type Hint =
  /** An amount of a token: one that the contract is bound to (`borrowAsset`), or one that the call names (`#.token`, `@.to`). */
  | { readonly token: string; readonly unlimited?: true }
  /** A number that stands for a word. */
  | { readonly words: Readonly<Record<string, string>>; readonly name: string }
  /** A number with fixed decimals and a unit. */
  | { readonly unit: string; readonly decimals?: number }
  /** A moment or a time span. */
  | { readonly time: 'date' | 'duration' }
  /** As it is, whatever its name suggests. */
  | { readonly raw: true }

export interface Sentence {
  /** What the signer does, in few words. */
  readonly intent: string
  /** The same with what matters of the arguments in it, as `{path}`. */
  readonly sentence: string
  /** By path of the argument. */
  readonly fields?: Readonly<Record<string, Hint>>
  /** What another form of an overloaded function says, by the number of its arguments. */
  readonly forms?: Readonly<Record<number, string>>
}

type WritingOf<A extends Abi> = Extract<
  A[number],
  { readonly type: 'function'; readonly stateMutability: 'nonpayable' | 'payable' }
>['name']

/** Every function that a build can answer, by its name. */
export type Sentences<A extends Abi> = { readonly [Name in WritingOf<A>]?: Sentence }

/** One kind of contract, and what each of its functions says to the signer. */
export interface SignedContract {
  readonly name: string
  readonly abi: Abi
  readonly sentences: Readonly<Record<string, Sentence | undefined>>
  /** Tokens that the contract itself is bound to. A descriptor of the kind does not know them; that of one contract does. */
  readonly constants: readonly string[]
  /** Under which names of the deployment record it stands, or its implementation does. */
  readonly recordedAs: readonly string[]
  /** The factory whose event names the contracts of this kind. */
  readonly factory?: { readonly recordedAs: string; readonly deployEvent: string }
}

export const signedContract = <const A extends Abi>(
  contract: Omit<SignedContract, 'abi' | 'sentences' | 'constants'> & {
    readonly abi: A
    readonly sentences: Sentences<A>
    readonly constants?: readonly string[]
  },
): SignedContract => ({ constants: [], ...contract, sentences: contract.sentences as SignedContract['sentences'] })

/** The functions of a contract that have a sentence, each form of an overloaded one for itself. */
export function describedFunctions({ abi, sentences }: SignedContract): { item: AbiFunction; said: Sentence }[] {
  return abi.flatMap((item) => {
    const said = item.type === 'function' ? sentences[item.name] : undefined
    if (item.type !== 'function' || !said) return []
    return [{ item, said: { ...said, sentence: said.forms?.[item.inputs.length] ?? said.sentence } }]
  })
}

const typeOf = (parameter: AbiParameter): string =>
  'components' in parameter && parameter.type.startsWith('tuple')
    ? `(${parameter.components.map(named).join(',')})${parameter.type.slice('tuple'.length)}`
    : parameter.type

const named = (parameter: AbiParameter): string => `${typeOf(parameter)} ${parameter.name}`

/** The fragment by which the standard names a function: types and names, no space behind a comma. */
export const fragmentOf = ({ name, inputs }: AbiFunction): string => `${name}(${inputs.map(named).join(',')})`

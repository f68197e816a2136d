import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'

/** A read as data: it says what to ask and how to understand the answer, and does nothing by itself. */
export interface ContractRead<T> {
  readonly to: Address
  readonly data: Hex
  decode(returned: Hex): T
}

/** What one read answered. A revert, or an answer that makes no sense, is a fact about the contract, not a failed read. */
export type ReadResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly revert: Hex }

interface Prepared {
  readonly abi: Abi
  readonly encode: { readonly abi: Abi; readonly functionName: Hex } | null
}

const prepared = new WeakMap<object, Map<string, Prepared>>()

/** The one item that is asked, and its selector: looked up and hashed once, not with every request. */
function prepare(abi: Abi, functionName: string): Prepared {
  const known = prepared.get(abi) ?? new Map<string, Prepared>()
  prepared.set(abi, known)
  const found = known.get(functionName)
  if (found) return found
  const items = abi.filter((item) => item.type === 'function' && item.name === functionName)
  const [only] = items
  // An overloaded name is told apart by its arguments, each time.
  const made: Prepared =
    only && items.length === 1
      ? { abi: [only], encode: prepareEncodeFunctionData({ abi: [only], functionName }) as Prepared['encode'] }
      : { abi, encode: null }
  known.set(functionName, made)
  return made
}

export function contractRead<
  const A extends Abi,
  N extends ContractFunctionName<A, 'view' | 'pure'>,
  const P extends ContractFunctionArgs<A, 'view' | 'pure', N>,
>(to: Address, abi: A, functionName: N, args: P): ContractRead<ContractFunctionReturnType<A, 'view' | 'pure', N, P>> {
  const { abi: items, encode } = prepare(abi, functionName)
  return {
    to,
    data: encodeFunctionData({ ...(encode ?? { abi, functionName }), args } as Parameters<
      typeof encodeFunctionData
    >[0]),
    decode: (data) =>
      decodeFunctionResult({ abi: items, functionName, args, data } as Parameters<
        typeof decodeFunctionResult
      >[0]) as ContractFunctionReturnType<A, 'view' | 'pure', N, P>,
  }
}

/** What a list of reads answers, place by place. */
export type ResultsOf<R extends readonly ContractRead<unknown>[]> = {
  [K in keyof R]: R[K] extends ContractRead<infer T> ? ReadResult<T> : never
}

type ValuesOf<R extends readonly ReadResult<unknown>[]> = {
  [K in keyof R]: R[K] extends ReadResult<infer T> ? T : never
}

/** Every value, or null when one of the reads failed. */
export function allValues<const R extends readonly ReadResult<unknown>[]>(results: R): ValuesOf<R> | null {
  const values: unknown[] = []
  for (const result of results) {
    if (!result.ok) return null
    values.push(result.value)
  }
  return values as unknown as ValuesOf<R>
}

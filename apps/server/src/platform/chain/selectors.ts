import {
  type Abi,
  type DecodeErrorResultReturnType,
  type DecodeFunctionDataReturnType,
  decodeErrorResult,
  decodeFunctionData,
  type Hex,
  toFunctionSelector,
} from 'viem'

type Named = Extract<Abi[number], { readonly type: 'function' | 'error' }>

/** viem looks for a selector by hashing one name after the other, two milliseconds of them in the ABI of a market. */
const known = {
  function: new WeakMap<Abi, Map<string, Named>>(),
  error: new WeakMap<Abi, Map<string, Named>>(),
}

/** An error has a selector as a function has. */
export const selectorOf = ({ name, inputs }: Pick<Named, 'name' | 'inputs'>): Hex =>
  toFunctionSelector({ type: 'function', name, inputs, outputs: [], stateMutability: 'view' })

function itemsOf(type: 'function' | 'error', abi: Abi): ReadonlyMap<string, Named> {
  let items = known[type].get(abi)
  if (!items) {
    items = new Map()
    for (const item of abi) {
      if (item.type !== type) continue
      const selector = selectorOf(item)
      if (!items.has(selector)) items.set(selector, item)
    }
    known[type].set(abi, items)
  }
  return items
}

/** The one item that the data begins with, if the ABI has it. */
function itemFor(type: 'function' | 'error', abi: Abi, data: Hex): Abi {
  const item = itemsOf(type, abi).get(data.slice(0, 10))
  return item ? [item] : []
}

/** Function and arguments of calldata. Throws when the ABI has no such function. */
export const decodeCall = <const A extends Abi>(abi: A, data: Hex): DecodeFunctionDataReturnType<A> =>
  decodeFunctionData({ abi: itemFor('function', abi, data), data }) as DecodeFunctionDataReturnType<A>

/** Error and arguments of what a call reverted with. Throws when the ABI has no such error. */
export const decodeRevert = <const A extends Abi>(abi: A, data: Hex): DecodeErrorResultReturnType<A> =>
  decodeErrorResult({ abi: itemFor('error', abi, data), data }) as unknown as DecodeErrorResultReturnType<A>

import { type Abi, type AbiItem, type Hex, toFunctionSelector } from 'viem'

type ErrorItem = Extract<AbiItem, { type: 'error' }>

/** Names the error in the return data of a call. */
export function createReasonReader(abis: Abi[]) {
  const names = new Map<string, string>([
    ['0x08c379a0', 'Error'],
    ['0x4e487b71', 'Panic'],
  ])
  for (const item of abis.flat()) {
    if (item.type === 'error') names.set(selectorOf(item), item.name)
  }
  return (data: Hex): string => names.get(data.slice(0, 10)) ?? `an unknown error ${data.slice(0, 10)}`
}

/** An error has the selector of a function of its name. */
function selectorOf(item: ErrorItem): Hex {
  return toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' })
}

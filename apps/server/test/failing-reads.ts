import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  toFunctionSelector,
} from 'viem'
import type { RpcProxy } from './rpc-proxy.ts'

const AGGREGATE = toFunctionSelector('aggregate3((address,bool,bytes)[])')

/** A node on which all reads go well but those of one function. */
export function failingReads(signature: string): NonNullable<RpcProxy['changeResult']> {
  const selector = toFunctionSelector(signature)
  return ({ method, params, result }) => {
    const { data = '0x' } = (params[0] ?? {}) as { data?: Hex }
    if (method !== 'eth_call' || !data.startsWith(AGGREGATE)) return result
    const { args } = decodeFunctionData({ abi: multicall3Abi, data })
    const asked = args?.[0] as readonly { callData: Hex }[]
    const form = { abi: multicall3Abi, functionName: 'aggregate3' } as const
    const returned = decodeFunctionResult({ ...form, data: result as Hex })
    const changed = returned.map((one, index) =>
      asked[index]?.callData.startsWith(selector) ? { success: false, returnData: '0x' as const } : one,
    )
    return encodeFunctionResult({ ...form, result: changed })
  }
}

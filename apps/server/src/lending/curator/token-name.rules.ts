import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex } from 'viem'

const WORD = 32
const TEXT = 512

/** What came back from a bounded question. */
interface Answer {
  readonly outcome: string
  readonly data: Hex
}

/** What a token calls itself; null: it does not say. */
export interface TokenName {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

const ask = (target: Address, functionName: 'name' | 'symbol' | 'decimals') => ({
  target,
  data: encodeFunctionData({ abi: erc20Abi, functionName }),
  maxReturn: functionName === 'decimals' ? WORD : TEXT,
})

export const tokenProbes = (token: Address) => [ask(token, 'name'), ask(token, 'symbol'), ask(token, 'decimals')]

export function tokenName([name, symbol, decimals]: readonly (Answer | undefined)[]): TokenName {
  return { name: text(name, 'name'), symbol: text(symbol, 'symbol'), decimals: decimalsOf(decimals) }
}

/** Without what nobody can see. */
function text(answer: Answer | undefined, functionName: 'name' | 'symbol'): string | null {
  if (answer?.outcome !== 'OK') return null
  try {
    return decodeFunctionResult({ abi: erc20Abi, functionName, data: answer.data }).replace(/\p{C}/gu, '')
  } catch {
    return null
  }
}

function decimalsOf(answer: Answer | undefined): number | null {
  if (answer?.outcome !== 'OK' || answer.data.length !== 2 + 2 * WORD) return null
  const value = BigInt(answer.data)
  return value <= 255n ? Number(value) : null
}

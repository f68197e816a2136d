import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import { type Probe, type ProbeAnswer, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'

const abi = [
  ...erc20Abi,
  ...parseAbi([
    'function isAgent(address) view returns (bool)',
    'function getFrozenTokens(address) view returns (uint256)',
    'function isVerified(address) view returns (bool)',
    'function identityRegistry() view returns (address)',
    'function isStock(address) view returns (bool)',
  ]),
] as const satisfies Abi

const WORD = 32
const TEXT = 512

/** What the tokens and registers of a new market answer. Nobody vouches for any of them, so every question is bounded. */
export interface TokenAnswers {
  readonly block: Block
  readonly collateral: {
    readonly hasCode: boolean
    readonly isErc20: boolean
    readonly decimals: number | null
    readonly canFreeze: boolean
    readonly registry: Address | null
  }
  readonly borrowAsset: {
    readonly hasCode: boolean
    readonly isErc20: boolean
    readonly decimals: number | null
    readonly symbol: string
  }
  /** Does each register answer `isVerified`? In the order asked. */
  readonly registersAnswer: readonly boolean[]
}

const ask = (target: Address, functionName: string, args: readonly unknown[] = [], maxReturn = WORD): Probe => ({
  target,
  data: encodeFunctionData({ abi, functionName, args } as never),
  maxReturn,
})

function decoded<T>(answer: ProbeAnswer | undefined, functionName: string): T | null {
  if (answer?.outcome !== 'OK') return null
  try {
    return decodeFunctionResult({ abi, functionName, data: answer.data } as never) as T
  } catch {
    return null
  }
}

/** `isVerified` may answer one word or more; the first one counts. */
const answersWord = (answer: ProbeAnswer | undefined): boolean => answer?.outcome === 'OK' && size(answer.data) >= WORD
const size = (data: Hex) => (data.length - 2) / 2

export async function questionTokens(
  chain: Chain,
  { collateral, borrowAsset, registers }: { collateral: Address; borrowAsset: Address; registers: readonly Address[] },
): Promise<TokenAnswers> {
  const { block, answers } = await probe(chain, [
    ask(collateral, 'balanceOf', [zeroAddress]),
    ask(collateral, 'decimals'),
    ask(collateral, 'isAgent', [zeroAddress]),
    ask(collateral, 'getFrozenTokens', [zeroAddress]),
    ask(collateral, 'identityRegistry'),
    ask(borrowAsset, 'balanceOf', [zeroAddress]),
    ask(borrowAsset, 'decimals'),
    ask(borrowAsset, 'symbol', [], TEXT),
    ...registers.map((register) => ask(register, 'isVerified', [zeroAddress], 2 * WORD)),
  ])
  const [balance, decimals, agent, frozen, registry, assetBalance, assetDecimals, assetSymbol, ...verified] = answers
  return {
    block,
    collateral: {
      hasCode: (balance?.codeSize ?? 0n) > 0n,
      isErc20: answersWord(balance),
      decimals: decoded<number>(decimals, 'decimals'),
      canFreeze: answersWord(agent) || answersWord(frozen),
      registry: decoded<Address>(registry, 'identityRegistry')?.toLowerCase() as Address | null,
    },
    borrowAsset: {
      hasCode: (assetBalance?.codeSize ?? 0n) > 0n,
      isErc20: answersWord(assetBalance),
      decimals: decoded<number>(assetDecimals, 'decimals'),
      symbol: decoded<string>(assetSymbol, 'symbol') ?? '',
    },
    registersAnswer: verified.map(answersWord),
  }
}

/**
 * What the two tokens of a market call themselves, asked with the same care, and whether our own factory made the collateral. Null:
 * no answer that can be understood.
 */
export async function nameTokens(
  chain: Chain,
  {
    collateral,
    borrowAsset,
    stockFactory,
  }: { collateral: Address; borrowAsset: Address; stockFactory: Address | null },
) {
  const { answers } = await probe(chain, [
    ask(borrowAsset, 'symbol', [], TEXT),
    ask(borrowAsset, 'decimals'),
    ask(collateral, 'decimals'),
    ask(collateral, 'symbol', [], TEXT),
    ask(collateral, 'name', [], TEXT),
    ...(stockFactory ? [ask(stockFactory, 'isStock', [collateral])] : []),
  ])
  const [symbol, decimals, collateralDecimals, collateralSymbol, collateralName, stock] = answers
  return {
    borrowSymbol: decoded<string>(symbol, 'symbol') ?? '',
    borrowDecimals: decoded<number>(decimals, 'decimals'),
    collateralDecimals: decoded<number>(collateralDecimals, 'decimals'),
    collateralSymbol: decoded<string>(collateralSymbol, 'symbol') ?? '',
    collateralName: decoded<string>(collateralName, 'name') ?? '',
    isOwnStock: stockFactory ? decoded<boolean>(stock, 'isStock') : false,
  }
}

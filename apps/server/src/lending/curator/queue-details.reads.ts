import { type Abi, type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { type Probe, type ProbeAnswer, probe } from '../../platform/chain/bounded-reader.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { abis } from '../contracts.ts'
import { noRegister, registerProbe, shapeOf } from '../registers/index.rules.ts'
import { tokenName, tokenProbes } from './token-name.rules.ts'

const WORD = 32
const tokenAbi = parseAbi(['function identityRegistry() view returns (address)'])

export interface RateTerms {
  readonly curve: { baseBps: number; multiplierBps: number; jumpBps: number; kinkBps: number }
  readonly offer: { mode: number; floorBps: number; capBps: number; fixedBps: number }
  readonly maxFixedRateBps: number
}

const ask = (target: Address, abi: Abi, functionName: string, words: number): Probe => ({
  target,
  data: encodeFunctionData({ abi, functionName }),
  maxReturn: words * WORD,
})

function decoded<T>(answer: ProbeAnswer | undefined, abi: Abi, functionName: string): T | null {
  if (answer?.outcome !== 'OK') return null
  try {
    return decodeFunctionResult({ abi, functionName, data: answer.data }) as T
  } catch {
    return null
  }
}

/** The tokens, the register and the rate model of a market under review: all bounded, for some are foreign. */
export async function readQueueDetails(
  chain: Chain,
  market: { collateralToken: Address; borrowAsset: Address; rateModel: Address; borrowerRegistry: Address | null },
) {
  const model: Abi = abis.rateModel
  const { answers } = await probe(chain, [
    ...tokenProbes(market.collateralToken),
    ...tokenProbes(market.borrowAsset),
    ask(market.collateralToken, tokenAbi, 'identityRegistry', 1),
    ask(market.rateModel, model, 'curve', 4),
    ask(market.rateModel, model, 'offer', 4),
    ask(market.rateModel, model, 'maxFixedRateBps', 1),
    ...(market.borrowerRegistry ? [registerProbe(market.borrowerRegistry)] : []),
  ])
  const curve = decoded<RateTerms['curve']>(answers[7], model, 'curve')
  const offer = decoded<RateTerms['offer']>(answers[8], model, 'offer')
  const ceiling = decoded<bigint>(answers[9], model, 'maxFixedRateBps')
  const registry = decoded<Address>(answers[6], tokenAbi, 'identityRegistry')
  const rates: RateTerms | null =
    curve && offer && ceiling !== null ? { curve, offer, maxFixedRateBps: Number(ceiling) } : null
  return {
    collateral: tokenName(answers.slice(0, 3)),
    borrow: tokenName(answers.slice(3, 6)),
    tokenRegistry: registry,
    rates,
    register: market.borrowerRegistry ? shapeOf(answers[10]) : noRegister,
  }
}

import { securityPriceOracleAbi } from '@tallystick/abi'
import { type Address, encodeFunctionData, type Hex, multicall3Abi, parseUnits } from 'viem'
import type { DemoCall } from '../demo-signing.ts'
import { birthPrice } from './market-plan.ts'
import { ofMarket, type Stage } from './market-stage.ts'

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const DAY = 86_400n
const HOUR = 3_600n
/** The longest that an oracle believes a signed price. */
const LONGEST_AGE = 30n * DAY
const USUAL_AGE = DAY
const EVERY = 3n * HOUR
/** Of the borrow asset. */
const DECIMALS = 6
/** For some hundreds of signatures. */
const GAS = 14_000_000n

interface Point {
  readonly price: bigint
  readonly timestamp: bigint
}

interface Oracle {
  readonly oracleAddress: Address
  readonly priceAge: number | null
}

/** The same every time: two slow waves, a fast one and steps that look like chance. It ends where the markets of the demo begin. */
export function pricesBetween(first: bigint, last: bigint): Point[] {
  const count = Number((last - first) / EVERY)
  const wave = (index: number, length: number) => Math.sin((2 * Math.PI * (count - index)) / length)
  const jitter = (index: number) => ((index * 7_919) % 101) / 101 - 0.5
  return Array.from({ length: count }, (_, index) => {
    const left = count - 1 - index
    const moved = 9 * wave(index + 1, 187) + 4 * wave(index + 1, 41) + wave(index + 1, 8) + jitter(index)
    // It leaves the price of birth slowly, and comes back to it.
    const share = Math.min(1, (index + 1) / 8, left / 8)
    const price = parseUnits((Number(birthPrice) + moved * share).toFixed(2), DECIMALS)
    return { price, timestamp: last - BigInt(left) * EVERY }
  })
}

const types = {
  PriceUpdate: [
    { name: 'price', type: 'uint256' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'validUntil', type: 'uint256' },
  ],
} as const

const toOracle = (to: Address, functionName: 'setMaxPriceAge', args: readonly [bigint]): DemoCall => ({
  ...{ to, data: encodeFunctionData({ abi: securityPriceOracleAbi, functionName, args }) },
})

/** All in one transaction: whoever has signed prices may submit them, as many as fit. */
async function submission(
  { lender, signing }: Stage,
  oracle: Address,
  points: readonly Point[],
  now: bigint,
): Promise<DemoCall> {
  const chainId = await signing.client.getChainId()
  const domain = { name: 'SecurityPriceOracle', version: '1', chainId, verifyingContract: oracle }
  const validUntil = now + DAY
  const calls = await Promise.all(
    points.map(async ({ price, timestamp }) => {
      const message = { price, timestamp, validUntil }
      const signature = await lender.account.signTypedData({ domain, types, primaryType: 'PriceUpdate', message })
      const args = [price, timestamp, validUntil, signature] as const
      const callData: Hex = encodeFunctionData({
        ...{ abi: securityPriceOracleAbi, functionName: 'updatePriceWithSignature', args },
      })
      return { target: oracle, allowFailure: false, callData }
    }),
  )
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  return { to: MULTICALL3, data, gas: GAS }
}

/**
 * What the security was worth since its market was made: prices that the lender signed then and submits today. The interface takes one at
 * a time, and the oracle only young ones: it is told to be patient for as long as that takes.
 */
export async function ensurePriceHistory(stage: Stage, marketId: string): Promise<void> {
  const { lender, signing } = stage
  const { oracleAddress, priceAge } = await lender.call<Oracle>('GET', ofMarket(marketId, '/oracle-status'))
  if (priceAge === null || BigInt(priceAge) < DAY) return
  const { timestamp: now } = await signing.client.getBlock()
  const points = pricesBetween(now - BigInt(priceAge), now)
  await signing.sendAll(lender.account, [
    toOracle(oracleAddress, 'setMaxPriceAge', [LONGEST_AGE]),
    await submission(stage, oracleAddress, points, now),
    toOracle(oracleAddress, 'setMaxPriceAge', [USUAL_AGE]),
  ])
}

import { encodeFunctionData, parseAbi } from 'viem'
import type { DemoMarket } from '../demo-world.ts'
import { pushPrice } from './lend.ts'
import { ofMarket, type Stage } from './market-stage.ts'

interface OracleStatus {
  readonly price: string | null
  readonly priceAge: number | null
  readonly maxPriceAge: number | null
}

/** Pushes the price that stands once a quarter of its life is over. */
export async function keepPrice(stage: Stage, marketId: string): Promise<void> {
  const { price, priceAge, maxPriceAge } = await stage.lender.call<OracleStatus>(
    'GET',
    ofMarket(marketId, '/oracle-status'),
  )
  if (price === null || priceAge === null || maxPriceAge === null) return
  if (priceAge * 4 > maxPriceAge) await pushPrice(stage, marketId, price)
}

const pokeSnapshot = encodeFunctionData({ abi: parseAbi(['function pokeSnapshot()']) })

/** A point in the history of the market; anybody may ask for one. */
export async function pokeHistory({ lender, signing }: Stage, { marketAddress }: DemoMarket): Promise<void> {
  await signing.sendAll(lender.account, [{ to: marketAddress as `0x${string}`, data: pokeSnapshot }])
}

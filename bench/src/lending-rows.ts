import { call } from './call.ts'
import { createLendingMarket, marketsPath } from './lending-market.ts'
import { interleave } from './measure.ts'
import type { Report } from './report.ts'
import type { Addresses, BenchWorld } from './world.ts'

const reads = { getMarket: '', getAuctionModule: '/auction-module', getSetupSteps: '/setup-steps' } as const

/** What lending answers from the chain, beside nothing but the same multicall. Answers the market that was asked. */
export async function measureLending(
  world: BenchWorld,
  { product, bare }: Addresses,
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<string> {
  const marketId = await createLendingMarket(world, product)
  const headers = { 'x-api-key': world.lender.apiKey }
  for (const [name, rest] of Object.entries(reads)) {
    const path = `${marketsPath}/${marketId}${rest}`
    const { size } = await call<{ size: number }>(`${bare}/rivals/${name}`, { body: { path, headers } })
    const loads = {
      ours: { url: `${product}${path}`, headers },
      bare: { url: `${bare}/rivals/${name}/multicall` },
      viem: { url: `${bare}/rivals/${name}/viem` },
    }
    const read = await interleave(loads, rounds, seconds)
    report.slowness(`${name}, p50 / bare route with the same ${size} reads`, read.ours, read.bare, 1.5)
    report.throughput(`${name} / the same ${size} reads by default viem`, read.ours, read.viem, 2)
  }
  return marketId
}

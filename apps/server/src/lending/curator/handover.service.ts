import { readNamed } from '../../platform/chain/named-reads.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { findDeployedMarket, type MarketCall } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { handoverReads } from './handover.reads.ts'
import { handoverOf } from './handover.rules.ts'

export function createHandover({ chains }: LendingParts) {
  return async function get(call: MarketCall, marketId: string) {
    const { market } = await findDeployedMarket(call, marketId)
    try {
      const { block, results } = await readNamed(chains.get(market.chainId), handoverReads(market))
      return { data: handoverOf(market, results), block }
    } catch (error) {
      if (error instanceof ChainUnavailableError) return { data: { readable: false as const } }
      throw error
    }
  }
}

export type GetHandover = ReturnType<typeof createHandover>

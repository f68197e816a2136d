import { setTimeout as sleep } from 'node:timers/promises'
import type { Demo } from '../demo/demo.ts'

const PAUSE_MS = 500

/**
 * A price must be newer than the one before, by the clock of the chain, which counts seconds: a market may be younger than one. That
 * clock moves with the blocks, however long they take.
 */
export async function untilPriceHasAged(demo: Demo, params: { marketId: string }): Promise<void> {
  const { lending } = demo.tally('lender')
  for (;;) {
    const { data } = await lending.getOracleStatus({ params })
    if ((data.priceAge ?? 0) > 0) return
    await sleep(PAUSE_MS)
  }
}

import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { MarketCall } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { createBuildLiquidation } from './build-liquidation.service.ts'
import { createConfirmLiquidation } from './confirm-liquidation.service.ts'

type LiquidateBody = BodyOf<typeof lendingOperations.liquidateLoan>

/** Realizing a loan: what to sign, and the proof that it was done. */
export function createLiquidateLoan(parts: LendingParts) {
  const build = createBuildLiquidation(parts)
  const confirm = createConfirmLiquidation(parts)
  return (call: MarketCall, marketId: string, loanId: string, body: LiquidateBody) =>
    body.txHash === undefined ? build(call, marketId, loanId, body) : confirm(call, marketId, loanId, body.txHash)
}

export type LiquidateLoan = ReturnType<typeof createLiquidateLoan>

import type { Refuse } from '../../platform/app-error.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { LocatedOnRouter } from './lookup.ts'

export const liquidationRead = ({ record: { market }, id }: LocatedOnRouter) =>
  contractRead(market.router, abis.router, 'liquidation', [id])

type LiquidationRead = ReturnType<typeof liquidationRead>
export type LiquidationOnRouter = LiquidationRead extends ContractRead<infer T> ? T : never

export function requireAnswer<T>(result: ReadResult<T>, refuse: Refuse<'ROUTER_UNREADABLE'>): T {
  if (!result.ok) throw refuse('ROUTER_UNREADABLE')
  return result.value
}

/** A liquidation that is not settled yet. */
export function requireOpen(
  result: ReadResult<LiquidationOnRouter>,
  refuse: Refuse<'ROUTER_UNREADABLE' | 'ALREADY_SETTLED'>,
): LiquidationOnRouter {
  const liquidation = requireAnswer(result, refuse)
  if (liquidation.settled) throw refuse('ALREADY_SETTLED')
  return liquidation
}

import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { CallPair, Effect } from '../../platform/chain/call-pair.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import { endpointAt } from '../market/markets.service.ts'
import type { LendingParts } from '../parts.ts'
import { explainLending } from '../reverts/index.ts'
import type { LiquidationCall, Located, LocatedOnRouter } from './lookup.service.ts'

export const liquidationRead = ({ record: { market }, id }: LocatedOnRouter) =>
  contractRead(market.router, abis.router, 'liquidation', [id])

type LiquidationRead = ReturnType<typeof liquidationRead>
export type LiquidationOnRouter = LiquidationRead extends ContractRead<infer T> ? T : never

export function requireRecord(result: ReadResult<LiquidationOnRouter>): LiquidationOnRouter {
  if (!result.ok) throw new AppError('ROUTER_UNREADABLE')
  return result.value
}

/** A liquidation that is not settled yet. */
export function requireOpen(result: ReadResult<LiquidationOnRouter>): LiquidationOnRouter {
  const liquidation = requireRecord(result)
  if (liquidation.settled) throw new AppError('ALREADY_SETTLED')
  return liquidation
}

/** What every build about a liquidation says alike; `path` is the part before its number. */
export function builtFor({ mountedAt }: LiquidationCall, { record, liquidationId }: Located, path: string, rest = '') {
  return {
    liquidationId,
    marketId: record.marketId,
    success: true as const,
    confirmWith: {
      endpoint: endpointAt(mountedAt, `/liquidations/${path}/${liquidationId}${rest}`),
      field: 'txHash' as const,
      body: { marketId: record.marketId, txHash: null },
    },
  }
}

/** One transaction to the router or the market. */
export function createRouterWrites({ intents }: LendingParts) {
  return <A, X>({ record: { market }, chain }: Located, pair: CallPair<A, Effect, X>, args: A, signer: Address) => {
    const kind = pair.operation.startsWith('market.') ? 'market' : 'router'
    const target = kind === 'market' ? market.address : market.router
    return intents.build({ chain, pair, target, kind }, args, signer, explainLending)
  }
}

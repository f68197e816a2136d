import { zeroAddress } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { type Asked, writesOf } from '../../writes/index.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { findDeployedMarket } from '../core/index.ts'
import type { LendingParts } from '../parts.ts'
import { type LiquidationOperation, liquidationCall, onRouter, type RoutedSubject } from './liquidation-write.ts'
import { namedMarket } from './lookup.ts'

export const recipientRead = ({ router }: Market) => contractRead(router, abis.router, 'saleRecipient', [])

/** Before a lender of record there is nothing seized, and nobody to sell it. */
async function requireDesignated({ chains }: LendingParts, asked: Asked): Promise<void> {
  const marketId = namedMarket(liquidationCall(asked))
  if (marketId === undefined) return
  const { market } = await findDeployedMarket(asked, marketId)
  const { results } = await chains.get(market.chainId).read([recipientRead(market)])
  if (results[0].ok && results[0].value === zeroAddress) throw new AppError('SALE_RECIPIENT_NOT_SET')
}

/** A write about a sale of what a router holds: where nobody can sell yet, a build says so instead of finding nothing. */
export const saleWrite = writesOf<LiquidationOperation, LendingParts, RoutedSubject>({
  ...onRouter,
  find: (parts, asked) =>
    onRouter.find(parts, asked).catch(async (error: unknown) => {
      const isMissing = error instanceof AppError && error.code === 'LIQUIDATION_NOT_FOUND'
      if (asked.leg === 'build' && isMissing) await requireDesignated(parts, asked)
      throw error
    }),
}).of

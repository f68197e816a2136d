import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readAt } from '../../platform/chain/read-at.ts'
import { abis } from '../contracts.ts'
import type { LoanOnChain } from '../loans/index.rules.ts'
import type { WatchedMarket } from './alert.rules.ts'
import { portions } from './lists.rules.ts'

const LOANS_PER_CALL = 100

const answered = <T>(result: ReadResult<unknown> | undefined): T | null => (result?.ok ? (result.value as T) : null)

/** Price and loans of a market, all at this block. */
export async function readWatchedMarket(
  chain: Chain,
  block: Block,
  { market, oracle }: { readonly market: Address; readonly oracle: Address },
  loanIds: readonly string[],
): Promise<WatchedMarket> {
  const ofLoans = portions(loanIds, LOANS_PER_CALL).map((some) =>
    some.flatMap((loanId) => [
      contractRead(market, abis.market, 'loan', [BigInt(loanId)]),
      contractRead(market, abis.market, 'healthFactor', [BigInt(loanId)]),
    ]),
  )
  const [price, ...results] = await readAt(chain, block, [
    [contractRead(oracle, abis.oracle, 'updatedAt', [])],
    ...ofLoans,
  ])
  return {
    block,
    priceUpdatedAt: answered<bigint>(price),
    loans: loanIds.map((loanId, index) => ({
      loanId,
      loan: answered<LoanOnChain>(results[2 * index]),
      health: answered<bigint>(results[2 * index + 1]),
    })),
  }
}

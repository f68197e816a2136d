import type { Address } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { readAt } from '../../platform/chain/read-at.ts'
import { abis } from '../contracts.ts'
import type { LoanOnChain } from '../loans/index.rules.ts'
import type { WatchedMarket } from './alert.rules.ts'

const LOANS_PER_CALL = 100

const answered = <T>(result: ReadResult<unknown> | undefined): T | null => (result?.ok ? (result.value as T) : null)

/** Price and loans of a market, all at this block. */
export async function readWatchedMarket(
  chain: Chain,
  block: Block,
  { market, oracle }: { readonly market: Address; readonly oracle: Address },
  loanIds: readonly string[],
): Promise<WatchedMarket> {
  const ofLoans: ContractRead<unknown>[] = loanIds.flatMap((loanId) => [
    contractRead(market, abis.market, 'loan', [BigInt(loanId)]),
    contractRead(market, abis.market, 'healthFactor', [BigInt(loanId)]),
  ])
  const reads = [contractRead(oracle, abis.oracle, 'updatedAt', []), ...ofLoans]
  const [price, ...results] = await readAt(chain, block, reads, 2 * LOANS_PER_CALL)
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

import type { Chain } from '../../platform/chain/chain.ts'
import { chainOrNull } from '../../platform/chain/chain-or-null.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { readAt } from '../fees/index.ts'

/** The bid that stood when a block was made; null where the node does not keep states that old. */
export async function bidAt(chain: Chain, { router }: Market, height: bigint): Promise<bigint | null> {
  const past = await chainOrNull(readAt(chain, height, [contractRead(router, abis.router, 'saleBid', [])]))
  const bid = past?.results[0]
  return bid?.ok ? bid.value[0] : null
}

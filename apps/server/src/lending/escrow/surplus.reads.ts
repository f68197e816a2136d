import type { Address } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'

/** Null: the market does not answer. */
export async function readSurplus(chain: Chain, { address }: Market, holder: Address) {
  const { block, results } = await chain.read([contractRead(address, abis.market, 'surplusOf', [holder])])
  const [surplus] = results
  return { block, surplus: surplus.ok ? surplus.value : null }
}

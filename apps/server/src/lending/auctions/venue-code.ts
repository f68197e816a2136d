import type { Address, Hex } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import type { Market } from '../core/index.rules.ts'
import { venueCreation } from './venue-calls.ts'

/**
 * Whether a contract runs the code of a venue for exactly this market. Getters can say anything: what a creation would leave
 * on chain, immutables and all, is compared with what is there.
 */
export async function runsVenueCode(chain: Chain, market: Market, venue: Address): Promise<boolean> {
  const [made, found] = await chain.rpc.batch([
    { method: 'eth_call', params: [{ data: venueCreation(market) }, 'latest'] },
    { method: 'eth_getCode', params: [venue, 'latest'] },
  ])
  if (!made?.ok || !found?.ok) throw new ChainUnavailableError('the code of the venue could not be read')
  return (made.value as Hex) !== '0x' && made.value === found.value
}

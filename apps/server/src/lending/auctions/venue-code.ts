import { recognize } from '@tallystick/deployer'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import type { Chain } from '../../platform/chain/chain.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { venueCreation } from './venue-calls.ts'

/** Code of an earlier build with exactly these filled in. */
function isEarlierVenue(code: Hex, { address, collateralToken, borrowAsset, collateralDecimals }: Market): boolean {
  const scale = numberToHex(10n ** BigInt(collateralDecimals), { size: 32 })
  const words = new Set([pad(address), pad(collateralToken), pad(borrowAsset), scale])
  const found = recognize('DutchAuctionVenue', code)
  return found?.immutables.length === words.size && found.immutables.every((value) => words.has(value))
}

/** Factories compare with venues of their own build; those from before version 3 compare nothing, and leave it to the market. */
async function isTakenByFactory(chain: Chain, { factory, address }: Market, venue: Address): Promise<boolean> {
  const question = { abi: abis.factory, functionName: 'verifyVenue', args: [address, venue] } as const
  const call = { to: factory, data: encodeFunctionData(question) }
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [call, 'latest'] }])
  if (answer?.ok) return decodeFunctionResult({ ...question, data: answer.value as Hex })
  if (answer?.fault.data === undefined && !/revert/i.test(answer?.fault.message ?? ''))
    throw new ChainUnavailableError('the factory could not be asked')
  return true
}

/**
 * Whether a contract runs the code of a venue for exactly this market. Getters can say anything: what a creation would leave
 * on chain, immutables and all, is compared with what is there. A venue of an earlier build is one where the factory is as old.
 */
export async function runsVenueCode(chain: Chain, market: Market, venue: Address): Promise<boolean> {
  const [made, found] = await chain.rpc.batch([
    { method: 'eth_call', params: [{ data: venueCreation(market) }, 'latest'] },
    { method: 'eth_getCode', params: [venue, 'latest'] },
  ])
  if (!made?.ok || !found?.ok) throw new ChainUnavailableError('the code of the venue could not be read')
  if ((made.value as Hex) !== '0x' && made.value === found.value) return true
  return isEarlierVenue(found.value as Hex, market) && isTakenByFactory(chain, market, venue)
}

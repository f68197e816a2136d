import type { Address } from 'viem'
import type { Party } from '../market/state.ts'

/** In the order of the node's accounts. `admin` is issuer and owner of oracle, rate model and fund as well. */
export const actors = [
  'owner',
  'lenderA',
  'lenderB',
  'admin',
  'liquidator',
  'seller',
  'saleRecipient',
  'signer',
  'borrowerA',
  'borrowerB',
  'borrowerC',
  'bidderA',
  'bidderB',
  'platform',
  'stranger',
] as const

export const lenders = ['lenderA', 'lenderB'] as const
export const borrowers = ['borrowerA', 'borrowerB', 'borrowerC'] as const
export const bidders = ['bidderA', 'bidderB', 'borrowerA'] as const
export const contracts = ['market', 'fund', 'router', 'venue', 'adapter'] as const

export type Addresses = ReadonlyMap<Party, Address>

export function addressOf(addresses: Addresses, party: Party): Address {
  const address = addresses.get(party)
  if (!address) throw new Error(`No address for ${party}`)
  return address
}

import type { Address, Hex } from 'viem'
import type { UnsignedCall } from '../platform/chain/simulate.ts'
import type { TenantDatabase } from '../platform/db/database.ts'

/** What was handed to the chain: mined later, or replaced by another hash of the same relay, as its history tells. */
export interface RelayedTransaction {
  readonly relayId: string
  readonly txHash: Hex
  readonly from: Address
}

/** A call, and the gas to send it with where an estimate would be too low: a call that does less when it is given less. */
export type CallToRelay = UnsignedCall & { readonly gas?: bigint }

/** What another feature uses of the relayer. */
export interface RelayerService {
  /** Who would sign. Refuses when nobody does: none is set up, or it is frozen. */
  addressOf(tenant: TenantDatabase, chainId: number): Promise<Address>
  /**
   * Signs and broadcasts a call for the instance, and answers without waiting for a block. It is stored before it is broadcast, so that
   * nothing is sent twice or lost; refused with a code of `relayErrors`, or `TX_WOULD_REVERT`, nothing was or will be sent.
   */
  relay(tenant: TenantDatabase, chainId: number, purpose: string, call: CallToRelay): Promise<RelayedTransaction>
}

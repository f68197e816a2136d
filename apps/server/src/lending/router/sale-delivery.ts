import type { Address } from 'viem'
import type { Refuse } from '../../platform/app-error.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { Market } from '../core/index.rules.ts'
import { optionalAddress } from '../core/index.ts'
import { deliveryRestriction } from './delivery.reads.ts'

interface Withdrawal {
  readonly recipientAddress?: string
}

export const recipientIn = ({ recipientAddress }: Withdrawal) => optionalAddress('recipientAddress', recipientAddress)

/** A caller may name the sale recipient, and nobody else. */
export function checkRecipient(body: Withdrawal, saleRecipient: Address, refuse: Refuse<'RECIPIENT_FIXED'>): void {
  const wanted = recipientIn(body)
  if (wanted !== null && wanted !== saleRecipient) throw refuse('RECIPIENT_FIXED', { extra: { saleRecipient } })
}

/** The token lets the router send this much to the sale recipient. */
export async function requireDeliverable(
  chain: Chain,
  { collateralToken: token, router: from }: Market,
  saleRecipient: Address,
  amount: bigint,
  refuse: Refuse<'SALE_RECIPIENT_TRANSFER_RESTRICTED'>,
): Promise<void> {
  const { code, rule } = await deliveryRestriction(chain, { token, from, to: saleRecipient, amount })
  if (code !== 0)
    throw refuse('SALE_RECIPIENT_TRANSFER_RESTRICTED', {
      extra: { saleRecipient, saleDeliveryCode: code, saleDeliveryRule: rule },
    })
}

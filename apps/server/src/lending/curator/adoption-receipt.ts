import type { Address } from 'viem'
import { eventFactOf } from '../../platform/chain/event-facts.ts'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import { abis } from '../contracts.ts'
import { roles } from '../signer.reads.ts'

const acknowledged = eventFactOf('factory', abis.factory, 'AssetDataAcknowledged')
const roleGranted = eventFactOf('router', abis.router, 'RoleGranted')

/** Whom the router lets sell, as the adoption itself said. */
export function operatorIn({ logs }: MinedTransaction, router: Address): string | null {
  const granted = roleGranted.settle(router, logs)
  const operator = granted.find(({ effect }) => effect.role === roles.OPERATOR_ROLE)
  return operator ? String(operator.effect.account) : null
}

/** What the lender said in the same transaction that it has seen. */
export function acknowledgedIn({ logs }: MinedTransaction, factory: Address, market: Address) {
  const found = acknowledged.settle(factory, logs).find(({ effect }) => effect.market === market)
  if (!found) return null
  const { contentHash, version, curator } = found.effect
  return { contentHash: String(contentHash), version: Number(version), curator: String(curator) }
}

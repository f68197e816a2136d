import type { Address } from 'viem'
import type { MinedTransaction } from '../../platform/chain/transaction.ts'
import { eventsOf } from '../../platform/chain/typed-call.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'

const acknowledged = eventsOf(abis.factory, 'AssetDataAcknowledged')
const roleGranted = eventsOf(abis.router, 'RoleGranted')

/** Whom the router lets sell, as the adoption itself said. */
export function operatorIn({ logs }: MinedTransaction, router: Address): Address | null {
  const operator = roleGranted(router, logs).find(({ effect }) => effect.role === roles.OPERATOR_ROLE)
  return operator?.effect.account ?? null
}

/** What the lender said in the same transaction that it has seen. */
export function acknowledgedIn({ logs }: MinedTransaction, factory: Address, market: Address) {
  const found = acknowledged(factory, logs).find(({ effect }) => effect.market === market)
  if (!found) return null
  const { contentHash, version, curator } = found.effect
  return { contentHash, version: Number(version), curator }
}

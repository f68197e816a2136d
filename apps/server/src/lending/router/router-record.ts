import type { Refuse } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { realizationRead } from './books.ts'
import { liquidationRead } from './liquidation-state.ts'
import type { RoutedSubject } from './liquidation-write.ts'
import { partyReads, requireParty } from './signer.ts'

/** A router's record beside the market's, for the router admin: what they do with it is bookkeeping, nothing moves. */
export async function readRecord(
  subject: RoutedSubject,
  refuse: Refuse<'WALLET_NOT_CONFIGURED' | 'ROUTER_UNREADABLE' | 'ROUTER_ADMIN_ROLE_MISSING'>,
) {
  const { record, market, chain, realizationId } = subject
  const { block, results } = await readNamed(chain, {
    liquidation: liquidationRead(subject),
    realization: realizationRead(market, realizationId),
    roleHeld: partyReads(record, 'routerAdmin', record.wallets),
  })
  const { liquidation, realization, roleHeld } = results
  const signing = requireParty(record, 'routerAdmin', record.wallets, roleHeld, refuse)
  return { block, signing, liquidation, realization }
}

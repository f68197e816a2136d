import type { Refuse } from '../../platform/app-error.ts'
import { contractRead } from '../../platform/chain/contract-read.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis } from '../contracts.ts'
import type { MarketSubject } from '../core/index.ts'
import { partyReads, requireParty } from './signer.ts'

/** Who sells what is seized: fixed, and changed only with notice, while nothing is out for sale. */
export async function readSaleRecipient(
  { record, market, chain }: MarketSubject,
  refuse: Refuse<'ROUTER_UNREADABLE' | 'WALLET_NOT_CONFIGURED' | 'ROUTER_ADMIN_ROLE_MISSING'>,
) {
  const { block, results } = await readNamed(chain, {
    current: contractRead(market.router, abis.router, 'saleRecipient', []),
    announced: contractRead(market.router, abis.router, 'announcedRecipient', []),
    totals: contractRead(market.router, abis.router, 'totals', []),
    roleHeld: partyReads(record, 'routerAdmin', record.wallets),
  })
  const { current, announced, totals, roleHeld } = results
  if (!current.ok || !announced.ok || !totals.ok) throw refuse('ROUTER_UNREADABLE')
  const [next, activatesAt] = announced.value
  const [received, settled] = totals.value
  return {
    block,
    saleRecipient: lowered(current.value),
    next: lowered(next),
    activatesAt: Number(activatesAt),
    open: Number(received - settled),
    signing: requireParty(record, 'routerAdmin', record.wallets, roleHeld, refuse),
  }
}

import type { LegCodeOf, lendingOperations } from '@tallystick/wire'
import type { Address } from 'viem'
import type { AppCode, Refuse } from '../../platform/app-error.ts'
import { readNamed } from '../../platform/chain/named-reads.ts'
import { offerOf } from './atomic.rules.ts'
import { requireBuyer } from './atomic-buyer.ts'
import { atomicReads, atomicState, requireBasis, requirePurse } from './atomic-state.ts'
import { booksReads, findShelf, requireBooks } from './books.ts'
import { statusOf } from './liquidation-id.rules.ts'
import { liquidationRead, requireOpen } from './liquidation-state.ts'
import type { RoutedSubject } from './liquidation-write.ts'
import { candidatesOf, partyReads, requireParty } from './signer.ts'
import { settlementOf } from './waterfall.rules.ts'

type Codes = LegCodeOf<typeof lendingOperations.sellPending, 'build'> & AppCode

/** Everything that decides about the sale of a whole liquidation at once, at one block; and what it would pay. */
export async function requirePendingSale(subject: RoutedSubject, named: Address | undefined, refuse: Refuse<Codes>) {
  const { record, market, chain } = subject
  const candidates = candidatesOf(record, named)
  const shelf = await findShelf(subject, refuse)
  const { saleRecipient: buyer } = shelf
  const { block, results } = await readNamed(chain, {
    liquidation: liquidationRead(subject),
    ...booksReads(subject, shelf),
    ...atomicReads(market, buyer),
    roleHeld: partyReads(record, 'operator', candidates),
  })
  const signing = requireParty(record, 'operator', candidates, results.roleHeld, refuse)
  const liquidation = requireOpen(results.liquidation, refuse)
  const { realization, loan, around } = requireBooks(results, refuse)
  const state = atomicState(results, market, block.time, refuse)
  requireBasis(state, refuse)
  const { collateralAmount: collateral } = liquidation
  if (liquidation.collateralRemaining !== collateral || liquidation.proceedsCollected !== 0n)
    throw refuse('COLLATERAL_ALREADY_OUT_FOR_SALE')
  const purse = requirePurse(state, refuse)
  const { bid, floorBps } = state
  const { price, payment } = offerOf(purse.price, bid, collateral, market.collateralDecimals)
  const isBorrower = loan.borrower.toLowerCase() === buyer
  const offer = { bid, floorBps, chainTime: block.time, ...purse, payment, isBorrower }
  await requireBuyer(chain, market, { buyer, collateral, offer }, refuse)
  const isOpen = statusOf(realization.status) === 'PENDING'
  const flow = settlementOf(realization, around, { routerCash: payment, isOpen })
  return { block, signing, buyer, collateral, price, payment, bid, realization, flow }
}

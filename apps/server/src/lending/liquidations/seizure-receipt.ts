import type { Address } from 'viem'
import type { ReceiptLog } from '../../platform/chain/call-pair.ts'
import type { Market } from '../core/index.rules.ts'
import { eventsAt } from '../core/index.ts'
import type { SettlementReceipt } from '../router/index.ts'

const auctionStarts = eventsAt('venue', 'AuctionStarted')
const receptions = eventsAt('router', 'CollateralReceived')
const sales = eventsAt('router', 'AtomicSaleExecuted')
const writeOffs = eventsAt('market', 'WrittenOffAtSeizure')

/** What the event of a seizure says of where the collateral went. */
interface Seized {
  readonly realizationId: bigint
  readonly destination: Address
}

const isOf =
  (realizationId: bigint) =>
  ({ effect }: { readonly effect: { readonly realizationId: bigint } }) =>
    effect.realizationId === realizationId

/** Where the collateral of one seizure went, by the events of whoever took it. */
export function destinationIn({ router }: Market, logs: readonly ReceiptLog[], { realizationId, destination }: Seized) {
  if (destination !== router) {
    const started = auctionStarts(destination, logs).find(isOf(realizationId))
    if (!started) return null
    const auctionId = started.effect.auctionId.toString()
    return { liquidationId: `venue-${realizationId}`, auctionId, path: 'VENUE' as const, sale: null }
  }
  const received = receptions(router, logs).find(isOf(realizationId))
  if (!received) return null
  const { liquidationId } = received.effect
  const sale = sales(router, logs).find(({ effect }) => effect.liquidationId === liquidationId)?.effect ?? null
  const path = sale ? ('ATOMIC' as const) : ('ROUTER' as const)
  return { liquidationId: liquidationId.toString(), auctionId: null, path, sale }
}

/** What the market wrote off right away; null: nothing. */
export const writtenOffIn = ({ address }: Market, logs: readonly ReceiptLog[], realizationId: bigint) =>
  writeOffs(address, logs).find(isOf(realizationId))?.effect ?? null

/** What of the cash neither the claim, nor the loan, nor the pool, nor the borrower got: the insurance fund did. */
export function reimbursed(claim: bigint, settled: SettlementReceipt): bigint {
  const { proceeds, penalty, recovered, debtApplied, surplus } = settled
  const toClaim = proceeds < claim ? proceeds : claim
  return surplus.reduce((left, { amount }) => left - amount, proceeds - toClaim - penalty - recovered - debtApplied)
}

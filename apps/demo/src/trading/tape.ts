import type { Address, Hex } from 'viem'
import { eventually } from '../patience.ts'
import { pastTrades } from './past.ts'
import { type OrderRequest, placeOrders, requirePlaced } from './place-orders.ts'
import { type PendingSettlement, pendingOn } from './settle.ts'
import { type BookPlan, otherSide, otherTrader, priceAt, type TraderName, tapePlan, unitsOf } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

/** Failed trades may not be counted. */
const fewestTrades = tapePlan.filter(({ isDoomed }) => !isDoomed).length

export async function hasTape({ issuer }: TradingStage, { path, plan }: DemoBook): Promise<boolean> {
  const { total } = await issuer.call<{ total: number }>('GET', `${path}/trades?limit=1`)
  return total >= fewestTrades + (plan.custody === 'ledger' ? pastTrades : 0)
}

const makersOf = (book: DemoBook, name: TraderName): OrderRequest[] =>
  tapePlan.flatMap(({ by, side, bps, quantity }, index) =>
    by === name
      ? [{ ...termsOf(book.plan, bps, quantity), side, clientOrderId: `maker ${index + 1} of ${book.id}` }]
      : [],
  )

const takersOf = (book: DemoBook, name: TraderName): OrderRequest[] =>
  tapePlan.flatMap(({ by, side, bps, quantity }, index) => {
    if (otherTrader(by) !== name) return []
    const clientOrderId = `taker ${index + 1} of ${book.id}`
    return [{ ...termsOf(book.plan, bps, quantity), side: otherSide(side), timeInForce: 'IOC', clientOrderId }]
  })

const termsOf = (plan: BookPlan, bps: number, quantity: number) => ({
  ...{ price: priceAt(plan, bps), quantity: unitsOf(quantity) },
})

/** Trades of before. An order has the same name every time, so that a start that was killed goes on where it was. */
export async function trade(stage: TradingStage, book: DemoBook): Promise<void> {
  const place = async (name: TraderName, requests: readonly OrderRequest[]) =>
    requirePlaced(await placeOrders(stage, book, name, requests))
  await Promise.all([place('trader', makersOf(book, 'trader')), place('borrower', makersOf(book, 'borrower'))])
  // The doomed one is among the first: a tape that is long enough has it.
  await place('borrower', takersOf(book, 'borrower'))
  await place('trader', takersOf(book, 'trader'))
}

const doomed = tapePlan.find(({ isDoomed }) => isDoomed)

function isDoomed({ traders }: TradingStage, { plan }: DemoBook, { trades }: PendingSettlement): boolean {
  if (!doomed) return false
  const { price, quantity } = termsOf(plan, doomed.bps, doomed.quantity)
  const maker = traders[doomed.by].account.address.toLowerCase()
  return trades.some(
    (one) => one.makerAddress === maker && one.price === price.toString() && one.quantity === quantity.toString(),
  )
}

/** The maker ends its orders on chain, although they are matched: nobody can settle them any more. */
async function endOnChain(stage: TradingStage, book: DemoBook, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  const { call, account } = stage.traders.trader
  const body = { userAddress: account.address, orderIds }
  const path = `${book.prefix}/orders/cancel-on-chain`
  const { transaction } = await call<{ transaction: { to: Address; data: Hex } }>('POST', path, body)
  await stage.signing.sendAll(account, [{ to: transaction.to, data: transaction.data }])
}

/** Lets one of the trades of before fail. Answers what else waits. */
export async function letFail(stage: TradingStage, book: DemoBook): Promise<readonly PendingSettlement[]> {
  if (book.custody === null) return []
  const pending = await pendingOn(stage, book)
  const lost = pending.filter((one) => isDoomed(stage, book, one))
  await endOnChain(
    stage,
    book,
    lost.flatMap(({ trades }) => trades.map(({ makerOrderId }) => makerOrderId)),
  )
  return pending.filter((one) => !lost.includes(one))
}

/** Until everything is final, or for a while: the worker sees to it anyway. */
export async function untilSettled(stage: TradingStage, book: DemoBook): Promise<void> {
  if (book.custody === null) return
  await eventually(async () => ((await pendingOn(stage, book)).length === 0 ? true : undefined)).catch(() => undefined)
}

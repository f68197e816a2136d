import { minus } from '@tallystick/engine'
import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import { actAs, type Role, type Sql } from '../../platform/db/database.ts'
import type { SignedOrder } from '../signed/index.rules.ts'
import { columnsOf, findUsed, type OnchainBook } from '../signed/index.ts'
import { custodyStore, insertSignedOrders, nameUnit } from '../unit/index.ts'
import { type Hold, requireBacked } from './agreed-order.ts'

export interface CustodyPlace {
  readonly chainId: number
  readonly custody: string
}

/** A stretch of the caller's transaction as the venue, under the lock of the custody contract, which stays until the commit. */
async function insideCustody<T>(sql: Sql, place: CustodyPlace, work: () => Promise<T>): Promise<T> {
  const [before] = await sql<{ role: Role }[]>`select current_user as role`
  await actAs(sql, 'tally_venue')
  await custodyStore.enterCustody(sql, { chainId: place.chainId, custodyContract: place.custody })
  const result = await work()
  if (before) await actAs(sql, before.role)
  return result
}

async function move(sql: Sql, place: CustodyPlace, holds: readonly Hold[], sign: 1 | -1, at: Date): Promise<void> {
  const sums = new Map<string, custodyStore.ReservationChange>()
  for (const { holder, tokenAddress, amount } of holds) {
    const key = `${holder} ${tokenAddress}`
    const before = sums.get(key)?.reserved ?? 0
    const change = sign === 1 ? amount : minus(0, amount)
    sums.set(key, { holder, tokenAddress, reserved: minus(before, minus(0, change)) })
  }
  const custody = { chainId: place.chainId, custodyContract: place.custody }
  const changes = [...sums.values()]
  await custodyStore.openReservations(sql, custody, changes, at)
  const { count } = await custodyStore.moveReservations(sql, custody, changes, at)
  if (count !== changes.length) throw new Error(`reservations: ${count} rows instead of ${changes.length}`)
}

export interface SignedHold {
  readonly orderId: string
  readonly signed: SignedOrder
  readonly hash: Hex
  readonly signature: Hex
  readonly hold: Hold
  /** What is there on chain, in smallest units. */
  readonly backing: bigint
}

/** Reserves a party's side of a trade that may come about, frees what it takes the place of, and keeps what was signed, for ever. */
export async function hold(
  sql: Sql,
  book: OnchainBook,
  request: SignedHold,
  freed: readonly Hold[],
  at: Date,
): Promise<void> {
  await insideCustody(sql, book, async () => {
    await nameUnit(sql, book.unitId)
    const [used] = await findUsed(sql, book, [request.hash])
    if (used) throw new AppError('DUPLICATE_ORDER', { extra: { ...used } })
    if (freed.length > 0) await move(sql, book, freed, -1, at)
    const rows = await custodyStore.readReservations(sql, [request.hold.holder])
    const reserved = rows.find(({ tokenAddress }) => tokenAddress === request.hold.tokenAddress)?.reserved ?? 0n
    requireBacked(book, request.hold, request.backing, reserved)
    await move(sql, book, [request.hold], 1, at)
    await insertSignedOrders(sql, book.unitId, [
      { ...columnsOf(book, request), orderId: request.orderId, createdAt: at },
    ])
  })
}

export async function free(sql: Sql, place: CustodyPlace, holds: readonly Hold[], at: Date): Promise<void> {
  if (holds.length > 0) await insideCustody(sql, place, () => move(sql, place, holds, -1, at))
}

import { exact } from '@tallystick/engine'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { BookClass } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { asOrder } from '../orders/index.rules.ts'
import { asRefusal } from '../orders/index.ts'
import type { TradingParts } from '../parts.ts'
import { accountOf, type Party } from '../unit/index.rules.ts'
import type { Turn } from '../unit/index.ts'
import type { UserOrdersService } from './user-orders.service.ts'
import * as store from './user-orders.store.ts'

const LIVE = new Set(['OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING'])

export interface OwnOrdersParts extends Pick<TradingParts, 'units'> {
  readonly books: BooksService
  readonly users: UserOrdersService
}

/** What the owner of a resting order may do with it. Cancelling works on any book, also a paused or a closed one. */
export function createOwnOrdersService({ units, books, users }: OwnOrdersParts) {
  const looksOf = ({ instanceId }: TenantDatabase, holders: readonly string[] = []) => ({
    instanceId,
    holders,
    clientOrderIds: [],
  })

  /** Changes a live order of the wallet, in its place among all commands of its unit. */
  async function change(
    tenant: TenantDatabase,
    caller: Caller,
    bookClass: BookClass,
    { orderId, userAddress }: { orderId: string; userAddress: string },
    work: (turn: Turn, party: Party, orderId: string) => void,
  ) {
    const party = { instanceId: tenant.instanceId, holder: requireAddressField('userAddress', userAddress) }
    const before = await users.find(tenant, bookClass, orderId)
    if (before.holder !== party.holder) throw new AppError('ORDER_NOT_FOUND')
    await units.submit(tenant, before.unitId, {
      grant: caller.grant,
      looks: looksOf(tenant, [party.holder]),
      perform(turn) {
        const order = turn.order(before.orderId)
        if (!order || !LIVE.has(order.status)) throw new AppError('ORDER_NOT_FOUND')
        work(turn, party, before.orderId)
      },
    })
    return asOrder(await users.find(tenant, bookClass, orderId))
  }

  return {
    cancel: (
      tenant: TenantDatabase,
      caller: Caller,
      bookClass: BookClass,
      request: { orderId: string; userAddress: string },
    ) =>
      change(tenant, caller, bookClass, request, (turn, party, order) => {
        turn.execute({ kind: 'cancel', at: 0, order, account: accountOf(party) })
      }),

    /** Less of an order is less than was signed; more of it nobody signed. */
    amend: (
      tenant: TenantDatabase,
      caller: Caller,
      bookClass: BookClass,
      { quantity: text, ...request }: { orderId: string; userAddress: string; quantity: string },
    ) =>
      change(tenant, caller, bookClass, request, (turn, party, order) => {
        const quantity = exact(BigInt(text))
        if (quantity >= (turn.order(order)?.quantity ?? 0))
          throw new AppError('INVALID_QUANTITY', { detail: 'quantity must be below what the order has now.' })
        const [first] = turn.execute({ kind: 'amend', at: 0, order, account: accountOf(party), quantity }).events
        if (first?.kind === 'refused') throw asRefusal(first)
      }),

    /** Book by book in the order that units are locked in. */
    async massCancel(
      tenant: TenantDatabase,
      caller: Caller,
      bookClass: BookClass,
      { userAddress, orderBookId, side }: { userAddress?: string; orderBookId?: string; side?: 'BUY' | 'SELL' },
    ) {
      if (userAddress === undefined && orderBookId === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'userAddress', message: 'or orderBookId is required' }])
      const { instanceId } = tenant
      const holder = userAddress === undefined ? null : requireAddressField('userAddress', userAddress)
      const targets =
        orderBookId === undefined
          ? await tenant.read((sql) => store.listRestingBooks(sql, instanceId, bookClass, holder ?? ''))
          : [await books.require(tenant, orderBookId, bookClass)]
      const orderIds: string[] = []
      for (const { bookId, unitId } of targets) {
        // A book may hold orders of other instances too: only the own accounts are named.
        const holders =
          holder === null
            ? (await tenant.read((sql) => store.listRestingHolders(sql, instanceId, bookId))).map((row) => row.holder)
            : [holder]
        const ended = await units.submit(tenant, unitId, {
          grant: caller.grant,
          looks: looksOf(tenant, holders),
          perform: (turn) =>
            holders.flatMap((one) => {
              const account = accountOf({ instanceId, holder: one })
              const only = side === undefined ? {} : { side }
              return turn.execute({ kind: 'massCancel', at: 0, book: bookId, account, ...only }).ended
            }),
        })
        orderIds.push(...ended)
      }
      return { cancelled: orderIds.length, orderIds }
    },
  }
}

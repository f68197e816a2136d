import { type PlacedSignedOrderRecord, submitErrors } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { createGathering } from '../../platform/gathering.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Once, ReplayedAnswer } from '../../platform/once.ts'
import { classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { asRefusedOrder } from '../orders/index.rules.ts'
import type { TradingParts } from '../parts.ts'
import { createChainGate } from './chain-gate.service.ts'
import type { SignedRequest } from './draft.ts'
import { createEndOnChainService } from './end-on-chain.service.ts'
import { asOnchainBook, type OnchainBook } from './onchain-book.ts'
import { createOwnOrdersService } from './own-orders.service.ts'
import { createPrepareService, type TermsRequest } from './prepare.service.ts'
import { createSignedOrdersService, type SentOrder, type SignedOutcome } from './signed-orders.service.ts'
import { createSignedRows } from './signed-rows.ts'
import { createCustodies } from './token-terms.service.ts'
import { createUserOrdersService } from './user-orders.service.ts'

const DEFAULT_REASON = 'LIQUIDATION_PRIORITY'

export interface PriorityRequest extends Omit<SignedRequest, 'quantity' | 'side'> {
  readonly liquidatedUser: string
  readonly amount: string
  readonly price: string
  readonly reason?: string
}

function theOne([outcome]: readonly SignedOutcome[]): PlacedSignedOrderRecord {
  if (!outcome || outcome instanceof Error) throw outcome
  return outcome
}

/** Orders that are sent one by one to the same book with the same key, while others are under way. */
const GATHERED = { most: 100, atOnce: 2 }

interface Submission extends SentOrder {
  readonly tenant: TenantDatabase
  readonly caller: Caller
  readonly mountedAt: string
  readonly bookId: string
}

/** Orders of the three classes that settle on chain; `mountedAt` says which class was asked. */
export function createClassOrdersService(parts: TradingParts & { readonly books: BooksService }) {
  const { books } = parts
  const rows = createSignedRows(parts.database)
  const custodies = createCustodies(parts)
  const gate = createChainGate({ ...parts, rows, custodies })
  const orders = createSignedOrdersService({ ...parts, gate, rows })
  const prepare = createPrepareService({ ...parts, custodies })
  const users = createUserOrdersService({ ...parts, books, rows })
  const own = createOwnOrdersService({ ...parts, books, users })
  const ends = createEndOnChainService({ ...parts, rows })

  const required = async (tenant: TenantDatabase, mountedAt: string, bookId: string): Promise<OnchainBook> =>
    asOnchainBook(await books.require(tenant, bookId, classOf(mountedAt)))

  async function tradable(tenant: TenantDatabase, mountedAt: string, bookId: string): Promise<OnchainBook> {
    const book = await required(tenant, mountedAt, bookId)
    if (book.row.status !== 'ACTIVE') throw new AppError('ORDER_BOOK_INACTIVE')
    return book
  }

  /** Own, on chain and open, or there is none. */
  async function forLiquidation(tenant: TenantDatabase, mountedAt: string, bookId: string): Promise<OnchainBook> {
    const row = await books.require(tenant, bookId, classOf(mountedAt))
    const isFit = row.instanceId === tenant.instanceId && row.status === 'ACTIVE' && row.settlementMode === 'ON_CHAIN'
    if (!isFit) throw new AppError('ORDER_BOOK_NOT_FOUND')
    return asOnchainBook(row)
  }

  /** All of one line: they differ in what they ask for only. */
  const gather = createGathering<Submission, PlacedSignedOrderRecord>(GATHERED, async (sent) => {
    const [first] = sent
    if (!first) return []
    const { tenant, caller, mountedAt, bookId } = first
    return orders.submitEach(tenant, caller, await tradable(tenant, mountedAt, bookId), sent)
  })

  /** In a transaction that its caller has open an order goes alone: the others are not part of it. */
  async function submitAlone({ tenant, caller, mountedAt, bookId, request }: Submission) {
    const book = await tradable(tenant, mountedAt, bookId)
    return theOne(await orders.submitAll(tenant, caller, book, [request]))
  }

  return {
    prepare: async (tenant: TenantDatabase, mountedAt: string, bookId: string, request: TermsRequest) =>
      prepare.prepare(tenant, await tradable(tenant, mountedAt, bookId), request),

    submit(
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      bookId: string,
      request: SignedRequest,
      once?: Once,
    ) {
      const sent = { tenant, caller, mountedAt, bookId, request, once }
      const { keyId, keyEpoch, instanceEpoch } = caller.grant
      return tenant.joined
        ? submitAlone(sent)
        : gather(`${keyId} ${keyEpoch} ${instanceEpoch} ${mountedAt} ${bookId}`, sent)
    },

    async submitBatch(
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      bookId: string,
      requests: readonly SignedRequest[],
    ) {
      const outcomes = await orders.submitAll(tenant, caller, await tradable(tenant, mountedAt, bookId), requests)
      const results = outcomes.map((outcome, index) => {
        // Keys of a batch are kept with the whole of it.
        if (outcome instanceof ReplayedAnswer) throw outcome
        if (!(outcome instanceof AppError)) return { accepted: true as const, ...outcome }
        const { clientOrderId } = requests[index] ?? {}
        const named = clientOrderId === undefined ? {} : { clientOrderId }
        return { accepted: false as const, ...named, error: asRefusedOrder(outcome, submitErrors) }
      })
      const accepted = results.filter((result) => result.accepted).length
      return { accepted, refused: results.length - accepted, results }
    },

    async submitPriority(
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      bookId: string,
      { liquidatedUser, amount, reason = DEFAULT_REASON, ...request }: PriorityRequest,
    ) {
      // The door has looked at the trading service; what is sold was seized by lending.
      if (!caller.instance.services.includes('lending'))
        throw new AppError('SERVICE_NOT_ENABLED', { extra: { service: 'lending' } })
      const liquidated = requireAddressField('liquidatedUser', liquidatedUser)
      const book = await forLiquidation(tenant, mountedAt, bookId)
      const asked = { ...request, side: 'SELL', quantity: amount, timeInForce: 'IOC' } as const
      const order = { ...asked, standingReason: `${reason} ${liquidated}` }
      return theOne(await orders.submitAll(tenant, caller, book, [order]))
    },

    cancel: (
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      request: { orderId: string; userAddress: string },
    ) => own.cancel(tenant, caller, classOf(mountedAt), request),
    amend: (
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      request: { orderId: string; userAddress: string; quantity: string },
    ) => own.amend(tenant, caller, classOf(mountedAt), request),
    massCancel: (
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      request: { userAddress?: string; orderBookId?: string; side?: 'BUY' | 'SELL' },
    ) => own.massCancel(tenant, caller, classOf(mountedAt), request),

    cancelOnChain: (
      tenant: TenantDatabase,
      caller: Caller,
      mountedAt: string,
      request: { userAddress: string; orderIds: readonly string[] },
    ) => ends.cancelOrders(tenant, caller.instance.chainId, classOf(mountedAt), request),
    raiseNonceFloor: async (
      tenant: TenantDatabase,
      mountedAt: string,
      { orderBookId, ...request }: { orderBookId: string; userAddress: string; nonceFloor: string },
    ) => ends.raiseNonceFloor(await required(tenant, mountedAt, orderBookId), request),

    get: (tenant: TenantDatabase, mountedAt: string, orderId: string) => users.get(tenant, classOf(mountedAt), orderId),
    ordersOfUser: (
      tenant: TenantDatabase,
      mountedAt: string,
      userAddress: string,
      query: Parameters<typeof users.listOrders>[3],
    ) => users.listOrders(tenant, classOf(mountedAt), userAddress, query),
    tradesOfUser: (
      tenant: TenantDatabase,
      mountedAt: string,
      userAddress: string,
      query: Parameters<typeof users.listTrades>[3],
    ) => users.listTrades(tenant, classOf(mountedAt), userAddress, query),
  }
}

export type ClassOrdersService = ReturnType<typeof createClassOrdersService>

import { randomUUID } from 'node:crypto'
import { signedOrderSettlementAbi, tradingVaultAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import type { Address, Hex } from 'viem'
import { unitsDown } from '../../src/trading/signed/chain-units.rules.ts'
import { accountOf } from '../../src/trading/unit/party.rules.ts'
import { must } from '../signing.ts'
import type { TestAnswer, TestInstance } from '../world.ts'
import {
  createOnchainWorld,
  type OnchainBook,
  type OnchainWorld,
  type OrderRequest,
  type SignedTerms,
} from './onchain-world.ts'
import { callOf } from './quick-sender.ts'
import { startVenue, type Venue } from './venue-world.ts'

interface PlacedOrder {
  readonly orderId: string
  readonly terms: SignedTerms
  readonly tradeIds: readonly string[]
  /** Of the first trade. */
  readonly settlementId: string
}

export interface SettlementWorld extends OnchainWorld {
  readonly venue: Venue
  /**
   * A signed order straight into the unit, of the owner's instance unless told otherwise: the gate of order entry would not let in what
   * some of the tests are about.
   */
  place(account: Wallet, book: OnchainBook, request: OrderRequest, of?: TestInstance): Promise<PlacedOrder>
  /** A sell of the first trader for every quantity, and a buy of the second, of the other instance, that takes them all. */
  trade(book: OnchainBook, quantities?: readonly bigint[]): Promise<PlacedOrder & { makers: PlacedOrder[] }>
  path(book: OnchainBook, settlementId: string, action?: 'calldata' | 'confirm'): string
  calldata(book: OnchainBook, settlementId: string): Promise<TestAnswer>
  /** Signs and sends what the calldata says; the hash. */
  settle(book: OnchainBook, settlementId: string): Promise<Hex>
  confirm(book: OnchainBook, settlementId: string, txHash: Hex, of?: TestInstance): Promise<TestAnswer>
  settlement(book: OnchainBook, settlementId: string): Promise<TestAnswer['body']>
  /** So many more blocks: with two, what was mined before is final. */
  mine(blocks?: number): Promise<void>
  /** What the worker does every few seconds. */
  watch(): Promise<void>
  onCustody(book: OnchainBook, account: Wallet, functionName: string, args: readonly unknown[]): Promise<Hex>
  /** Of a wallet, in order book units. */
  reserved(book: OnchainBook, account: Wallet, token: Address): Promise<bigint>
  orderRow(orderId: string): Promise<Record<string, unknown> | undefined>
}

/** One whole unit of anything. */
export const WHOLE = 1_000_000n
export const PRICE = 100n * WHOLE

export const custodyAbiOf = (book: OnchainBook) =>
  book.class === 'external-securities' ? signedOrderSettlementAbi : tradingVaultAbi

export async function createSettlementWorld(
  options: { readonly bookRequest?: Record<string, unknown> } = {},
): Promise<SettlementWorld> {
  const world = await createOnchainWorld({ bookRequest: { allowImport: true, ...options.bookRequest } })
  const { owner, other, node, superuser } = world
  for (const { id, prefix } of Object.values(world.books))
    must(await other.post(`${prefix}/imports`, { orderBookId: id }))
  const venue = startVenue(world)
  const [seller, buyer] = world.traders
  const [chain] = world.chains.all
  if (!chain) throw new Error('the world serves no chain')

  const place: SettlementWorld['place'] = async (account, book, request, of = owner) => {
    const terms = await world.signOrder(account, book, request)
    const { tenant, caller } = await venue.as(of)
    const { unitId } = await venue.books.require(tenant, book.id, book.class)
    const [orderId, holder] = [randomUUID(), account.address.toLowerCase()]
    const { order } = terms
    const common = { side: request.side, timeInForce: 'GTC', postOnly: false } as const
    const { trades } = await venue.units.submit(tenant, unitId, {
      grant: caller.grant,
      looks: { instanceId: of.instanceId, holders: [holder], clientOrderIds: [] },
      perform: (turn) => {
        const placed = turn.place(
          {
            ...common,
            kind: 'place',
            at: 0,
            order: orderId,
            book: book.id,
            account: accountOf({ instanceId: of.instanceId, holder }),
            type: 'LIMIT',
            price: Number(request.price),
            quantity: Number(request.quantity),
            maxFee: Number(unitsDown(order.maxFee, book.quoteDecimals)),
            expiresAt: Number(order.expiry) * 1000,
          },
          {
            ...common,
            orderId,
            bookId: book.id,
            instanceId: of.instanceId,
            accountId: randomUUID(),
            holder,
            clientOrderId: null,
            orderType: 'LIMIT',
            stpMode: 'NONE',
            expiresAt: new Date(Number(order.expiry) * 1000),
            signed: {
              chainId: node.chainId,
              custodyContract: book.custody,
              orderHash: terms.orderHash,
              trader: holder,
              tokenAddress: book.base,
              quoteTokenAddress: book.quote,
              isBuy: order.isBuy,
              quantity: order.quantity,
              price: order.price,
              maxFee: order.maxFee,
              expiry: Number(order.expiry),
              nonce: order.nonce,
              salt: order.salt,
              signature: terms.signature,
            },
          },
        )
        if ('refused' in placed) throw new Error(`the unit refused: ${placed.refused.code}`)
        return placed
      },
    })
    return {
      orderId,
      terms,
      tradeIds: trades.map(({ tradeId }) => tradeId),
      settlementId: trades[0]?.settlementId ?? '',
    }
  }

  const path: SettlementWorld['path'] = (book, settlementId, action) =>
    `${book.prefix}/settlements/${settlementId}${action ? `/${action}` : ''}`
  const calldata: SettlementWorld['calldata'] = (book, settlementId) => owner.get(path(book, settlementId, 'calldata'))

  return {
    ...world,
    venue,
    place,
    async trade(book, quantities = [WHOLE]) {
      const makers: PlacedOrder[] = []
      for (const quantity of quantities)
        makers.push(await place(seller, book, { side: 'SELL', price: PRICE, quantity, maxFee: 1_000_000n }))
      const quantity = quantities.reduce((sum, one) => sum + one, 0n)
      const taker = await place(buyer, book, { side: 'BUY', price: PRICE, quantity, maxFee: 10_000_000n }, other)
      return { ...taker, makers }
    },
    path,
    calldata,
    async settle(book, settlementId) {
      const { transaction, gasLimit } = must(await calldata(book, settlementId)).body.data
      return world.sendRaw(owner.wallet, transaction, BigInt(gasLimit))
    },
    confirm: (book, settlementId, txHash, of = owner) =>
      of.call('POST', path(book, settlementId, 'confirm'), { body: { txHash } }),
    settlement: async (book, settlementId) => must(await owner.get(path(book, settlementId))).body.data,
    mine: (blocks = 2) => node.testClient.mine({ blocks }),
    async watch() {
      // Two at a time, so that there are several steps.
      let place: string | undefined
      do place = await venue.settlements.watch.pass(chain, place, 2)
      while (place)
    },
    onCustody: (book, account, functionName, args) =>
      world.sendRaw(account, callOf(book.custody, custodyAbiOf(book), functionName, args)),
    async reserved(book, account, token) {
      const [row] = await superuser`
        select reserved::text from custody_reservations
        where custody_contract = ${book.custody} and holder = ${account.address.toLowerCase()} and token_address = ${token}`
      return BigInt(row?.reserved ?? 0)
    },
    async orderRow(orderId) {
      const [row] = await superuser`
        select status, quantity::text, filled_quantity::text as filled, cancel_reason as "cancelReason" from orders
        where order_id = ${orderId}`
      return row
    },
    async close() {
      await venue.close()
      await world.close()
    },
  }
}

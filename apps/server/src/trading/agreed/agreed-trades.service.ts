import { type Amount, minus, type Report, type Side } from '@tallystick/engine'
import type { Hex } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { findByHolder, openAccount } from '../accounts/index.ts'
import { bookStore } from '../books/index.ts'
import { requirePermitted } from '../orders/index.ts'
import type { TradingParts } from '../parts.ts'
import {
  asOnchainBook,
  type Custodies,
  columnsOf,
  createPrepareService,
  type OnchainBook,
  type OwnerOf,
  type SignedRows,
  stagedIn,
} from '../signed/index.ts'
import { accountOf } from '../unit/index.rules.ts'
import {
  type AgreedOrder,
  type AgreedTerms,
  agreedOrder,
  backingUnits,
  type Hold,
  requireAmount,
  requireBacked,
  requireInBand,
  requireSettleable,
} from './agreed-order.ts'
import { type Examined, examine, type SignedSide } from './examine.ts'
import { free, hold } from './holds.ts'

/** Where a trade is agreed: a book is found by its tokens and its custody contract. */
export interface Market {
  readonly custodyContract: string
  readonly baseToken: string
  readonly quoteToken: string
}

/** A trade that both parties signed. */
export interface Deal {
  readonly instanceId: string
  /** Of the taker. */
  readonly side: Side
  readonly price: Amount
  readonly quantity: Amount
  readonly maker: { readonly orderId: string; readonly hold: Hold }
  readonly taker: AgreedOrder & { readonly orderId: string; readonly signature: Hex }
  /** What the chain said about both. */
  readonly examined: Examined
  /** Reserved for quotes that end with it. */
  readonly freed: readonly Hold[]
}

export interface AgreedTradesParts extends Pick<TradingParts, 'units' | 'chains' | 'clock' | 'random'> {
  readonly custodies: Custodies
  readonly signedRows: SignedRows
}

/** Trades that are agreed outside of a book: they are checked and backed like its orders, and settle like its trades. */
export function createAgreedTrades(parts: AgreedTradesParts) {
  const { units, chains, clock, random, custodies, signedRows } = parts
  const prepared = createPrepareService(parts)
  const chainOf = ({ chainId }: OnchainBook) => chains.get(chainId)

  async function requireNew(tenant: Pick<TenantDatabase, 'joined'>, book: OnchainBook, hash: Hex): Promise<void> {
    const orderId = (await signedRows.usedBefore(tenant, book, [hash])).get(hash)
    if (orderId !== undefined) throw new AppError('DUPLICATE_ORDER', { extra: { orderId, orderHash: hash } })
  }

  return {
    /** An active stock book on chain that the instance has on this pair: its own, or else one it imported. */
    async findBook(tenant: TenantDatabase, market: Market): Promise<OnchainBook> {
      const request = { class: 'stocks', settlementMode: 'ON_CHAIN', status: 'ACTIVE' }
      const rows = await tenant.read((sql) => bookStore.listBooks(sql, tenant.instanceId, request))
      const found = rows.find(
        (row) =>
          row.custodyContract === market.custodyContract &&
          row.tokenAddress === market.baseToken &&
          row.quoteTokenAddress === market.quoteToken,
      )
      if (!found) throw new AppError('ORDER_BOOK_NOT_FOUND')
      return asOnchainBook(found)
    },

    async bookOf(tenant: TenantDatabase, bookId: string): Promise<OnchainBook> {
      const [row] = await tenant.read((sql) => bookStore.readBook(sql, tenant.instanceId, bookId))
      if (row?.status !== 'ACTIVE' || row.settlementMode !== 'ON_CHAIN') throw new AppError('ORDER_BOOK_NOT_FOUND')
      return asOnchainBook(row)
    },

    /** The trading account of a wallet, if it has one. */
    async findAccount(tenant: TenantDatabase, holder: string) {
      const [account] = await tenant.read((sql) => findByHolder(sql, tenant.instanceId, holder))
      return account
    },

    requireAmount,
    agreedOrder,
    hold,
    free,

    /** What a party has to sign, and whether its funds would do now. Neither sizes nor fees of the book count. */
    async prepare(
      tenant: TenantDatabase,
      book: OnchainBook,
      terms: AgreedTerms,
      request: { readonly expiry: number | string; readonly nonce?: string; readonly salt?: string },
    ) {
      const { price, quantity } = requireSettleable(book, terms)
      const free = { minOrderSize: 0n, maxOrderSize: null, makerFeeBps: 0, takerFeeBps: 0, mmMakerRebateBps: null }
      const own = { userAddress: terms.trader, side: terms.side, price, quantity, maxFee: '0' }
      return prepared.prepare(tenant, { ...book, row: { ...book.row, ...free } }, { ...request, ...own })
    },

    requireInBand: ({ row }: OnchainBook, price: Amount, now: Date) => requireInBand(row, price, now),

    /** What the chain says about a new side, and about the one it is meant for. Ask before anything is locked. */
    examine: (book: OnchainBook, own: SignedSide, other?: SignedSide) =>
      examine(chainOf(book), custodies, book, own, other),

    /** What was kept with a hold. */
    async keptSide(
      tenant: TenantDatabase,
      book: OnchainBook,
      orderId: string,
      quoteAmount: bigint,
    ): Promise<SignedSide> {
      const kept = (await signedRows.ofOrders(tenant, book.unitId, [orderId])).get(orderId)
      if (!kept) throw new Error(`nothing signed was kept for ${orderId}`)
      return { signed: kept.order, hash: kept.hash, signature: kept.signature, quoteAmount }
    },

    requireNew,

    /** Brings an agreed trade into the unit of the book, inside the caller's transaction: staged like all its trades. */
    async conclude(sql: Sql, book: OnchainBook, deal: Deal) {
      const { instanceId, side, price, quantity, maker, taker, examined, freed } = deal
      const [makerParty, takerParty] = [maker.hold.holder, taker.hold.holder].map((holder) => ({ instanceId, holder }))
      if (!makerParty || !takerParty) throw new Error('a deal has two parties')
      await openAccount(sql, instanceId, {
        accountId: newId(clock, random),
        holder: taker.hold.holder,
        now: clock.now(),
      })
      const command: Report = {
        kind: 'report',
        at: 0,
        book: book.bookId,
        makerOrder: maker.orderId,
        takerOrder: taker.orderId,
        makerAccount: accountOf(makerParty),
        takerAccount: accountOf(takerParty),
        side,
        price,
        quantity,
      }
      const concluded = units.runInside(sql, book.unitId, {
        grant: null,
        looks: { instanceId, holders: [makerParty.holder, takerParty.holder], clientOrderIds: [] },
        perform(turn) {
          const facts = turn.book(book.bookId)
          if (facts?.status !== 'ACTIVE') throw new AppError('ORDER_BOOK_NOT_FOUND')
          requireInBand(facts, price, facts.readAt)
          requirePermitted(turn, takerParty, book.bookId)
          const { reserved, change } = turn.custody()
          const { holder, tokenAddress } = maker.hold
          const { otherBacking } = examined
          // Whoever quotes and then takes the funds away backs nothing any more.
          if (
            otherBacking === null ||
            backingUnits(book, tokenAddress, otherBacking) < BigInt(reserved(holder, tokenAddress))
          )
            throw new AppError('QUOTE_EXPIRED', { detail: 'The provider of this quote could no longer settle it.' })
          requireBacked(book, taker.hold, examined.backing, reserved(taker.hold.holder, taker.hold.tokenAddress))
          for (const gone of [maker.hold, ...freed]) change(gone.holder, gone.tokenAddress, minus(0, gone.amount))
          const { trades } = turn.execute(command)
          const [trade] = trades
          if (!trade) throw new Error('the unit refused a trade that was checked before')
          turn.keepSigned(taker.orderId, columnsOf(book, taker))
          return trade
        },
      })
      const trade = await concluded.catch(async (error: unknown) => {
        // Somebody used the signature since it was looked for.
        if ((error as { constraint_name?: unknown }).constraint_name === 'signed_orders_once')
          await requireNew({ joined: async () => sql }, book, taker.hash)
        throw error
      })
      const ownerOf: OwnerOf = () => book.row.instanceId
      const [settlement] = stagedIn(book, instanceId, [trade], ownerOf)
      if (!settlement) throw new Error(`the trade ${trade.tradeId} was not staged`)
      return { trade, settlement }
    },
  }
}

export type AgreedTrades = ReturnType<typeof createAgreedTrades>

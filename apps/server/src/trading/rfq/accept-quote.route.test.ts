import { tradingVaultAbi } from '@tallystick/abi'
import type { RfqRecord } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import { createRfqWorld, ONE, RFQ, type RfqWorld } from '../../../test/trading/rfq/rfq-world.ts'

const NOBODY = '01890000-0000-7000-8000-00000000000a'
const PRICE = 40n * ONE

describe('accepting a quote', () => {
  let world: RfqWorld

  beforeAll(async () => {
    world = await createRfqWorld()
  })
  afterAll(() => world.close())

  const errorOf = async (answer: Promise<{ status: number; body: { error: Record<string, unknown> } }>) => {
    const { status, body } = await answer
    return { status, ...body.error, message: undefined }
  }
  const onVault = (name: string, args: readonly unknown[], by = world.owner.wallet) =>
    world.sendRaw(by, callOf(world.books.stocks.custody, tradingVaultAbi, name, args))

  /** A request with a quote of the first provider. */
  async function quoted(fields: Record<string, unknown> = {}): Promise<{ rfq: RfqRecord; quoteId: string }> {
    const rfq = await world.open(fields)
    const { id } = must(await world.quote(world.providers[0], rfq, PRICE)).body.data
    return { rfq, quoteId: id }
  }
  async function reservations() {
    const { requester, providers } = world
    const all = [requester, ...providers].flatMap((account) => [
      world.reserved(account, 'base'),
      world.reserved(account, 'quote'),
    ])
    return Promise.all(all)
  }

  it('makes the trade, withdraws the other quotes, and stages a settlement that both signatures carry', async () => {
    const { owner, requester, providers, books, superuser } = world
    const [ada, bea] = providers
    const { rfq, quoteId } = await quoted()
    must(await world.quote(bea, rfq, 41n * ONE))
    const { trade, settlement, settlementOutcome } = must(await world.accept(rfq, quoteId, PRICE)).body.data
    expect(trade).toMatchObject({
      origin: 'RFQ',
      orderBookId: books.stocks.id,
      makerAddress: ada.address.toLowerCase(),
      takerAddress: requester.address.toLowerCase(),
      price: '40000000',
      quantity: '5000000',
      makerFee: '0',
      takerFee: '0',
      side: 'BUY',
      quoteId,
    })
    expect(settlement).toMatchObject({ status: 'PENDING', tradeCount: 1, orderBookId: books.stocks.id })
    expect(settlementOutcome).toEqual({ txHash: null, blockNumber: null, gasUsed: null })
    const after = await world.read(rfq.id)
    expect(after).toMatchObject({ status: 'ACCEPTED', quotes: [{ status: 'ACCEPTED' }, { status: 'WITHDRAWN' }] })
    expect(await reservations()).toEqual([0n, 200n * ONE, 5n * ONE, 0n, 0n, 0n])
    const tape = (await owner.call('GET', `${books.stocks.prefix}/order-books/${books.stocks.id}/trades`)).body.data
    expect(tape.trades[0]).toMatchObject({ tradeId: trade.tradeId, origin: 'RFQ', settlementStatus: 'PROCESSING' })

    const { transaction } = must(await owner.call('GET', settlement.calldata)).body.data
    const txHash = await world.sendRaw(owner.wallet, transaction)
    must(await owner.call('POST', settlement.confirmWith.endpoint, { body: { txHash } }))
    const [row] =
      await superuser`select status, tx_hash from settlements where settlement_id = ${settlement.settlementId}`
    expect(row).toMatchObject({ tx_hash: txHash })
    expect((await world.cancel(after)).body.data).toEqual(after)
  })

  it('happens once under one Idempotency-Key, and not without one', async () => {
    const { owner, requester, books } = world
    const { rfq, quoteId } = await quoted()
    const terms = { side: 'BUY', price: PRICE, quantity: 5n * ONE } as const
    const { expiry, nonce, salt, signature } = (await world.signOrder(requester, books.stocks, terms)).body
    const body = { requesterAddress: requester.address, quoteId, expiry, nonce, salt, signature }
    const accept = (headers: Record<string, string>) => owner.call('POST', `${RFQ}/${rfq.id}/accept`, { body, headers })
    expect(await errorOf(accept({}))).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_REQUIRED' })
    const key = { 'idempotency-key': 'accept-this-one' }
    const [first, again] = [must(await accept(key)), await accept(key)]
    expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true'])
    expect(await errorOf(accept({ 'idempotency-key': 'another-key' }))).toMatchObject({
      status: 410,
      code: 'RFQ_EXPIRED',
    })
  })

  it('is for the requester, while request and quote last', async () => {
    const { rfq, quoteId } = await quoted()
    const accept = (fields: object = {}, id = rfq.id) =>
      errorOf(world.accept({ ...rfq, id }, quoteId, PRICE, { ...fields }))
    expect(await accept({ requesterAddress: 'me' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await accept({ quoteId: 'x'.repeat(101) })).toMatchObject({ status: 400, code: 'INVALID_PARAM' })
    expect(await accept({}, NOBODY)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await accept({ quoteId: NOBODY })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const stranger = world.providers[1].address
    expect(await accept({ requesterAddress: stranger })).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const paused = await world.withBook({ status: 'PAUSED' }, () => accept())
    expect(paused).toMatchObject({ status: 404, code: 'ORDER_BOOK_NOT_FOUND' })
    await world.expireQuote(quoteId)
    expect(await accept()).toMatchObject({ status: 410, code: 'QUOTE_EXPIRED' })
    await world.expire(rfq.id)
    expect(await accept()).toMatchObject({ status: 410, code: 'RFQ_EXPIRED' })
  })

  it('holds the price against the reference once more', async () => {
    const { rfq, quoteId } = await quoted()
    const accept = () => errorOf(world.accept(rfq, quoteId, PRICE))
    const moved = { price_ref_enabled: true, price_ref_spread_bps: 100, price_ref_last_price: '50000000' }
    const band = { ...moved, price_ref_last_updated: new Date() }
    expect(await world.withBook(band, accept)).toMatchObject({
      status: 400,
      code: 'QUOTE_PRICE_OUT_OF_BOUNDS',
      referencePrice: '50',
      lowerBound: '49.5',
      upperBound: '50.5',
      spreadBps: 100,
    })
    const stale = { ...moved, price_ref_halt_on_stale: true, price_ref_last_updated: new Date(0) }
    expect(await world.withBook(stale, accept)).toMatchObject({ status: 503, code: 'PRICE_REF_STALE' })
    const none = { ...stale, price_ref_last_price: null, price_ref_last_updated: null }
    expect(await world.withBook(none, accept)).toMatchObject({ status: 503, code: 'PRICE_REF_UNAVAILABLE' })
    expect((await world.read(rfq.id)).status).toBe('QUOTED')
    await world.cancel(rfq)
  })

  it('needs the signature of just this order, once', async () => {
    const { owner, requester, books } = world
    const { rfq, quoteId } = await quoted()
    const accept = (fields: object) => errorOf(world.accept(rfq, quoteId, PRICE, { ...fields }))
    const soon = Math.floor(Date.now() / 1000) + 30
    expect(await accept({ expiry: soon })).toMatchObject({ status: 400, code: 'INVALID_ORDER_EXPIRY' })
    expect(await accept({ nonce: '18446744073709551616' })).toMatchObject({ status: 400, code: 'INVALID_ORDER_NONCE' })
    expect(await accept({ salt: 'salt' })).toMatchObject({ status: 400, code: 'INVALID_ORDER_SALT' })
    expect(await errorOf(world.accept(rfq, quoteId, PRICE + 1n))).toMatchObject({
      status: 401,
      code: 'INVALID_SIGNATURE',
    })

    const terms = { side: 'BUY', price: PRICE, quantity: 5n * ONE } as const
    const { body, orderHash } = await world.signOrder(requester, books.stocks, terms)
    const { expiry, nonce, salt, signature } = body
    const order = must(await owner.call('POST', `${books.stocks.prefix}/orders`, { body })).body.data.order
    expect(await accept({ expiry, nonce, salt, signature })).toMatchObject({
      status: 409,
      code: 'DUPLICATE_ORDER',
      orderId: order.orderId,
      orderHash,
    })
    const path = `${books.stocks.prefix}/orders/${order.orderId}`
    must(await owner.call('DELETE', path, { body: { userAddress: requester.address } }))
    const dead = await world.signOrder(requester, books.stocks, terms)
    await onVault('cancelOrders', [[dead.orderHash]], requester)
    const cancelled = { expiry: dead.body.expiry, salt: dead.body.salt, signature: dead.body.signature }
    expect(await accept(cancelled)).toMatchObject({ status: 409, code: 'ORDER_NOT_LIVE', reason: 'CANCELLED_ON_CHAIN' })
    await world.cancel(rfq)
  })

  it('needs funds of the requester, who may be kept from trading', async () => {
    const { owner, requester, superuser, books } = world
    const { rfq, quoteId } = await quoted()
    const accept = () => errorOf(world.accept(rfq, quoteId, PRICE))
    const holder = requester.address.toLowerCase()
    const all = 999_900n * ONE
    const change = (by: bigint) => superuser`
      update custody_reservations set reserved = reserved + ${by.toString()}::numeric
      where holder = ${holder} and token_address = ${books.stocks.quote}`
    const before = await world.reserved(requester, 'quote')
    await change(all - before)
    expect(await accept()).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_CUSTODY_BALANCE',
      required: '200000000',
      tokenAddress: books.stocks.quote,
    })
    await change(before - all)
    const [account] = (await owner.call('GET', `${books.stocks.prefix}/accounts?userAddress=${holder}`)).body.data
      .accounts
    const update = (status: string) =>
      owner.call('PATCH', `${books.stocks.prefix}/accounts/${account.accountId}`, { body: { status } })
    await update('SUSPENDED')
    expect(await accept()).toMatchObject({ status: 403, code: 'MM_CONFIG_VIOLATION' })
    await update('ACTIVE')
    expect(await accept()).toMatchObject({ status: 200 })
  })

  it('is refused for what the chain says about either side and the vault', async () => {
    const { tokens, requester, providers, superuser } = world
    const [ada] = providers
    const { rfq, quoteId } = await quoted()
    const accept = () => errorOf(world.accept(rfq, quoteId, PRICE))
    const later = BigInt(Math.floor(Date.now() / 1000) + 3600)
    await onVault('freezeUser', [requester.address, later])
    expect(await accept()).toMatchObject({ status: 409, code: 'DELIVERY_NOT_ALLOWED', rule: 'BUYER_FROZEN_IN_VAULT' })
    await onVault('unfreezeUser', [requester.address])
    await onVault('removeToken', [tokens.stock])
    expect(await accept()).toMatchObject({ status: 409, code: 'ONCHAIN_SETTLEMENT_UNAVAILABLE' })
    await onVault('addToken', [tokens.stock, 1, true])
    expect(await world.withoutNode(accept)).toMatchObject({ status: 503, code: 'CHAIN_UNAVAILABLE' })

    await onVault('requestWithdrawal', [tokens.stock, 990n * 10n ** 18n], ada)
    expect(await accept()).toMatchObject({ status: 410, code: 'QUOTE_EXPIRED' })
    await onVault('cancelWithdrawalRequest', [tokens.stock], ada)
    const [signed] = await superuser`select order_hash from signed_orders where order_id = ${quoteId}`
    await onVault('cancelOrders', [[signed?.order_hash]], ada)
    expect(await accept()).toMatchObject({ status: 410, code: 'QUOTE_EXPIRED' })
    expect((await world.read(rfq.id)).status).toBe('QUOTED')
    await world.cancel(rfq)
  })

  it('on a book that was imported leaves the settlement to its owner', async () => {
    const { other, books, requester, providers } = world
    const [ada] = providers
    must(await other.call('POST', `${books.stocks.prefix}/imports`, { body: { orderBookId: books.stocks.id } }))
    const rfq = await world.open({}, other)
    expect(rfq.instanceId).toBe(other.instanceId)
    const post = (path: string, body: object, headers = {}) =>
      other.call('POST', `${books.stocks.prefix}${path}`, { body, headers })
    must(await post('/accounts', { userAddress: ada.address, canQuote: true }))
    const sign = async (account: typeof ada, side: 'BUY' | 'SELL') => {
      const { body } = await world.signOrder(account, books.stocks, { side, price: PRICE, quantity: 5n * ONE })
      return { expiry: body.expiry, nonce: body.nonce, salt: body.salt, signature: body.signature }
    }
    const offer = { lpAddress: ada.address, price: String(PRICE), ...(await sign(ada, 'SELL')) }
    const quote = must(await post(`/rfq/${rfq.id}/quotes`, offer)).body.data
    const body = { requesterAddress: requester.address, quoteId: quote.id, ...(await sign(requester, 'BUY')) }
    const accepted = must(await post(`/rfq/${rfq.id}/accept`, body, { 'idempotency-key': 'on-an-import' }))
    expect(accepted.body.data.settlement).toMatchObject({ settledByOrderBookOwner: true })
  })
})

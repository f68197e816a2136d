import type { AddressInfo } from 'node:net'
import { tradingOperations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { listenEvents } from '../../../test/streams/listener.ts'
import { createSettlementWorld, PRICE, type SettlementWorld, WHOLE } from '../../../test/trading/settlement-world.ts'

/** Nothing sweeps here and nobody trades: whatever ends the order is that somebody looks. */
describe('an order past its time', () => {
  let world: SettlementWorld
  let base: string
  beforeAll(async () => {
    world = await createSettlementWorld()
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`
  })
  afterAll(() => world.close())

  async function placeAndPass(seconds = 3_600) {
    const book = world.books.commodities
    const [seller] = world.traders
    const expiry = BigInt(Math.floor(world.clock.now().getTime() / 1000) + seconds)
    const { orderId } = await world.place(seller, book, { side: 'SELL', price: PRICE, quantity: WHOLE, expiry })
    const get = async (path: string) => must(await world.owner.get(`${book.prefix}${path}`)).body.data
    const listen = () =>
      listenEvents(`${base}${book.prefix}/order-books/${book.id}/stream`, {
        key: world.owner.apiKey,
        operation: tradingOperations.streamOrderBook,
      })
    const level = { price: String(PRICE), quantity: String(WHOLE), orderCount: 1 }
    const pass = () => world.clock.advance((seconds + 1) * 1_000)
    return { book, seller, orderId, get, listen, level, pass }
  }

  it('is expired wherever it is read as an order, and counts as none that is open', async () => {
    const { book, seller, orderId, get, pass } = await placeAndPass()
    const listed = (status: string) =>
      get(`/users/${seller.address}/orders?orderBookId=${book.id}&status=${status}`).then(({ total }) => total)
    expect([await listed('OPEN'), await listed('EXPIRED')]).toEqual([1, 0])
    pass()
    expect(await get(`/orders/${orderId}`)).toMatchObject({ status: 'EXPIRED' })
    expect([await listed('OPEN'), await listed('EXPIRED')]).toEqual([0, 1])
  })

  it('is in no book that is shown, and the journal says that it ended', async () => {
    const { book, orderId, get, level, pass } = await placeAndPass()
    const before = await get(`/order-books/${book.id}/snapshot`)
    expect(before.depth.asks).toEqual([level])
    pass()
    const after = await get(`/order-books/${book.id}/snapshot`)
    expect(after.depth).toEqual({ bids: [], asks: [] })
    expect(Number(after.journal.sequence)).toBe(Number(before.journal.sequence) + 1)
    expect(await world.orderRow(orderId)).toMatchObject({ status: 'EXPIRED', cancelReason: 'ORDER_EXPIRED' })
    // Once: looking again writes nothing.
    expect((await get(`/order-books/${book.id}/snapshot`)).journal).toEqual(after.journal)
  })

  it('holds nothing of what its wallet can trade', async () => {
    const { book, seller, get, pass } = await placeAndPass()
    // Reservations are shown to whoever has the wallet as an account.
    must(await world.owner.post(`${book.prefix}/accounts`, { userAddress: seller.address }))
    const balance = () => get(`/custody/${book.custody}/balance/${seller.address}/${book.base}`)
    expect(BigInt((await balance()).reserved)).toBeGreaterThan(0n)
    pass()
    expect((await balance()).reserved).toBe('0')
  })

  it('leaves a stream that is open, and is not in one that opens later', async () => {
    const { listen, level, pass } = await placeAndPass()
    const early = await listen()
    expect(await early.next()).toMatchObject({ type: 'snapshot', asks: [level] })
    pass()
    expect(await early.next()).toMatchObject({ type: 'update', asks: [{ ...level, quantity: '0', orderCount: 0 }] })
    early.close()

    const second = await placeAndPass()
    second.pass()
    const late = await second.listen()
    expect(await late.next()).toMatchObject({ type: 'snapshot', asks: [] })
    late.close()
  })
})

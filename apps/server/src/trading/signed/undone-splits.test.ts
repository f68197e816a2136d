import { stockTokenAbi } from '@tallystick/abi'
import type { Wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OnchainBook } from '../../../test/trading/onchain-world.ts'
import {
  createSigningWorld,
  expectRefusal,
  ONE,
  PRICE,
  type SigningWorld,
} from '../../../test/trading/signing-world.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'

describe('orders that were signed before a split', () => {
  let world: SigningWorld
  let worker: Venue
  let anna: Wallet
  let bert: Wallet

  beforeAll(async () => {
    world = await createSigningWorld()
    worker = startVenue(world, { poolSize: 4 })
    ;[anna, bert] = world.traders
  })
  afterAll(async () => {
    await worker.close()
    await world.close()
  })

  const watch = async () => {
    for (const chain of world.chains.all) await worker.splits.watch.pass(chain)
  }
  const split = (book: OnchainBook) => world.onToken(book.base, stockTokenAbi, 'stockSplit', [2n, 1n, 100n])
  const statusOf = async (book: OnchainBook, orderId: string) => {
    const { status, cancelReason } = await world.orderOf(book, orderId)
    return { status, cancelReason }
  }
  /** Signs what the service prepares, and submits it. */
  async function prepareAndSend(book: OnchainBook, by: Wallet, side: 'BUY' | 'SELL') {
    const { data } = (await world.prepare(book, { side }, by)).body
    const { domain, types, primaryType, order: message } = data
    const signature = await by.signTypedData({ domain, types, primaryType, message })
    const { maxFee, expiry, nonce, salt } = message
    const terms = { orderBookId: book.id, userAddress: by.address, side, price: '40000000', quantity: '1000000' }
    return world.owner.call('POST', `${book.prefix}/orders`, {
      body: { ...terms, maxFee, expiry, nonce, salt, signature },
    })
  }

  for (const bookClass of ['stocks', 'external-securities'] as const)
    describe(`of ${bookClass}`, () => {
      let book: OnchainBook
      beforeAll(() => {
        book = world.books[bookClass]
      })

      it('stay dead when a reorganisation undoes it, resting or never sent', async () => {
        const resting = (await world.sell(bert, book, PRICE, ONE)).body.data.order
        const kept = await world.ask(book)
        await watch()
        expect(await statusOf(book, resting.orderId)).toMatchObject({ status: 'OPEN' })

        const before = await world.node.testClient.snapshot()
        await split(book)
        await watch()
        expect(await statusOf(book, resting.orderId)).toEqual({ status: 'CANCELLED', cancelReason: 'TOKEN_SPLIT' })
        await expectRefusal(world.send(book, kept), 400, { code: 'INVALID_ORDER_SALT' })
        const between = await world.prepare(book)
        await world.node.testClient.revert({ id: before })

        // The contract knows of no split, and would take what was signed before one.
        await expectRefusal(world.send(book, kept), 400, { code: 'INVALID_ORDER_SALT' })
        await watch()
        await expectRefusal(world.send(book, kept), 400, { code: 'INVALID_ORDER_SALT' })
        await expectRefusal(world.prepare(book, { salt: between.body.data.order.salt }), 400, {
          code: 'INVALID_ORDER_SALT',
        })
        expect(await statusOf(book, resting.orderId)).toMatchObject({ status: 'CANCELLED' })
      })

      it('make way for orders that say in which time they were signed, and these settle', async () => {
        expect((await prepareAndSend(book, bert, 'SELL')).body.data).toMatchObject({ status: 'OPEN' })
        const { data } = (await prepareAndSend(book, anna, 'BUY')).body
        expect(data).toMatchObject({ status: 'FILLED' })
        const { settlementId } = data.settlement
        const path = `${book.prefix}/settlements/${settlementId}`
        const { transaction, gasLimit } = (await world.owner.get(`${path}/calldata`)).body.data
        const txHash = await world.sendRaw(world.owner.wallet, transaction, BigInt(gasLimit))
        const confirmed = await world.owner.call('POST', `${path}/confirm`, { body: { txHash } })
        expect(confirmed.body.data.trades).toMatchObject([{ outcome: 'SETTLED' }])
      })

      it('die again with the next one, which the contract sees itself', async () => {
        const { order } = (await prepareAndSend(book, bert, 'SELL')).body.data
        await split(book)
        await watch()
        expect(await statusOf(book, order.orderId)).toEqual({ status: 'CANCELLED', cancelReason: 'TOKEN_SPLIT' })
        expect((await prepareAndSend(book, bert, 'SELL')).body.data).toMatchObject({ status: 'OPEN' })
      })
    })
})

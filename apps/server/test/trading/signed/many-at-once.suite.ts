import { setTimeout as sleep } from 'node:timers/promises'
import { tradingVaultAbi } from '@tallystick/abi'
import { seededRandom } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../src/platform/app-error.ts'
import { DatabaseUnavailableError } from '../../../src/platform/db/database.ts'
import { ReplayedAnswer } from '../../../src/platform/once.ts'
import { unitsDown } from '../../../src/trading/signed/chain-units.rules.ts'
import { auditCustody, auditUnit } from '../audit.ts'
import type { OnchainBook } from '../onchain-world.ts'
import { signAtRandom } from '../random-signing.ts'
import { ONE, type SigningWorld } from '../signing-world.ts'
import { startVenue, type Venue } from '../venue-world.ts'

type Wish = Parameters<Venue['signedOrders']['submit']>[4]

/** Two servers and two instances on one unit. */
export function describeManyAtOnce(given: () => SigningWorld): void {
  describe('that many send at once, through two servers and two instances', () => {
    let world: SigningWorld
    let stocks: OnchainBook
    let commodities: OnchainBook
    let venues: readonly [Venue, Venue]

    beforeAll(async () => {
      world = given()
      ;({ stocks, commodities } = world.books)
      await world.other.call('POST', `${commodities.prefix}/imports`, { body: { orderBookId: commodities.id } })
      await world.patchBook(commodities, { makerFeeBps: 10, takerFeeBps: 20 })
      venues = [startVenue(world), startVenue(world)]
    })
    afterAll(() => Promise.all(venues.map((venue) => venue.close())))

    const unitOf = async (book: OnchainBook): Promise<string> => {
      const [row] = await world.superuser`select unit_id from order_books where book_id = ${book.id}`
      return row?.unit_id
    }

    it('are backed by what they need, and by no more than the chain has', async () => {
      const instances = [world.owner, world.other]
      const random = seededRandom(20_261_115)
      const done = await signAtRandom({ world, venues, instances, book: commodities, random, steps: 45, atOnce: 4 })
      expect(done.failed).toEqual([])
      expect(done.taken).toBeGreaterThan(20)
      expect(done.trades).toBeGreaterThan(10)
      const { engine } = await auditUnit(world.superuser, await unitOf(commodities))
      for (const { holder, token, reserved } of await auditCustody(world.superuser, commodities.custody, [engine])) {
        const { committed } = await world.node.publicClient.readContract({
          ...{ address: commodities.custody, abi: tradingVaultAbi, functionName: 'accountOf' },
          args: [holder as Hex, token as Hex],
        })
        const decimals = token === commodities.base ? commodities.baseDecimals : commodities.quoteDecimals
        expect(reserved).toBeLessThanOrEqual(unitsDown(committed, decimals))
      }
    })

    it('wait for each other, never for themselves: with an Idempotency-Key and without', async () => {
      const { 'external-securities': securities } = world.books
      const [anna, bert, carl] = world.traders
      const request = { price: 50n * ONE, quantity: ONE, nonce: 10n } as const
      const terms = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const side = index % 2 === 0 ? 'SELL' : 'BUY'
          return world.signOrder([anna, bert, carl][index % 3] ?? anna, securities, { side, ...request })
        }),
      )
      const answers = await Promise.all(
        terms.map(({ body, orderHash }, index) => {
          const headers: Record<string, string> = index % 3 === 0 ? {} : { 'idempotency-key': orderHash }
          return world.owner.call('POST', `${securities.prefix}/orders`, { body, headers })
        }),
      )
      const codes = new Set(answers.map(({ status, body }) => (status === 200 ? 'taken' : body.error.code)))
      codes.delete('BOOK_MOVED')
      expect([...codes]).toEqual(['taken'])
      const { engine } = await auditUnit(world.superuser, await unitOf(securities))
      await auditCustody(world.superuser, securities.custody, [engine])
    })

    it('each hear of their own order, whoever it was looked up with', async () => {
      const [anna, bert] = world.traders
      const price = 91n * ONE
      const [bad, odd, ...good] = await Promise.all(
        Array.from({ length: 10 }, (_, index) => world.ask(stocks, { price }, index % 2 === 0 ? anna : bert)),
      )
      const byBert = { ...bad?.body, userAddress: bert.address }
      // The door lets no such amount in: it stands for a fault of ours.
      const broken = { ...odd?.body, quantity: 'nothing' }
      const [venue] = venues
      const { caller, tenant } = await venue.as(world.owner)
      const orders = [
        ...good.slice(0, 4).map(({ body }) => body),
        byBert,
        broken,
        ...good.slice(4).map(({ body }) => body),
      ]
      const outcomes = await Promise.allSettled(
        orders.map((order) =>
          venue.signedOrders.submit(
            ...([tenant, caller, `${stocks.prefix}/orders`, stocks.id, order as unknown as Wish] as const),
          ),
        ),
      )
      const [unsigned, fault] = outcomes.splice(4, 2)
      expect(unsigned).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_SIGNATURE' } })
      expect(fault).toMatchObject({ status: 'rejected', reason: expect.any(SyntaxError) })
      const hashes = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.orderHash : one.reason))
      expect(hashes).toEqual(good.map(({ orderHash }) => orderHash))
      const { engine } = await auditUnit(world.superuser, await unitOf(stocks))
      await auditCustody(world.superuser, stocks.custody, [engine])
    })

    it('are one order for each Idempotency-Key, however often it is sent, and the answer is the same', async () => {
      const price = 92n * ONE
      const terms = await Promise.all(Array.from({ length: 8 }, () => world.ask(stocks, { price })))
      const send = ({ body, orderHash }: (typeof terms)[number], change: object = {}) =>
        world.owner.call('POST', `${stocks.prefix}/orders`, {
          body: { ...body, ...change },
          headers: { 'idempotency-key': orderHash },
        })
      const sent = await Promise.all(terms.flatMap((one) => [send(one), send(one), send(one)]))
      for (const [index, one] of terms.entries()) {
        const answers = sent.slice(index * 3, index * 3 + 3)
        // Whoever comes while it is under way is told so, or waits for the same answer.
        const known = answers.filter(({ status }) => status === 200)
        for (const { body } of answers.filter(({ status }) => status !== 200))
          expect(body.error.code).toBe('IDEMPOTENCY_IN_FLIGHT')
        const again = await send(one)
        expect(again.headers['idempotent-replay']).toBe('true')
        expect(again.body.data.orderHash).toBe(one.orderHash)
        expect(new Set([again, ...known].map(({ text }) => text))).toEqual(new Set([again.text]))
        const other = await send(one, { clientOrderId: 'another' })
        expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_MISMATCH' } } })
      }
      const hashes = terms.map(({ orderHash }) => orderHash)
      const [counted] = await world.superuser`
        select count(*)::int as orders from signed_orders where order_hash = any(${hashes}::text[])`
      expect(counted?.orders).toBe(terms.length)
      const { engine } = await auditUnit(world.superuser, await unitOf(stocks))
      await auditCustody(world.superuser, stocks.custody, [engine])
    })

    it('are each told what became of them, once, when connections break at any moment', async () => {
      const [venue] = venues
      const terms = await Promise.all(Array.from({ length: 24 }, () => world.ask(stocks, { price: 93n * ONE })))
      /** As a client does that has no answer: the same once more. */
      async function untilKnown({ body, orderHash }: (typeof terms)[number]): Promise<string> {
        const answered = (data: unknown) => ({ status: 200, body: JSON.stringify(data) })
        const once = {
          operation: 'submitOrder',
          key: orderHash,
          fingerprint: Buffer.alloc(32),
          answered,
          refused: () => null,
        }
        for (;;) {
          try {
            const { caller, tenant } = await venue.as(world.owner)
            const sent = [tenant, caller, `${stocks.prefix}/orders`, stocks.id, body as unknown as Wish] as const
            return (await venue.signedOrders.submit(...sent, once)).order.orderId
          } catch (error) {
            if (error instanceof ReplayedAnswer) return JSON.parse(error.answer.body).order.orderId
            const isPassing =
              error instanceof AppError ? error.code === 'BOOK_MOVED' : error instanceof DatabaseUnavailableError
            if (!isPassing) throw error
            await sleep(10)
          }
        }
      }
      const breaking = setInterval(() => {
        void world.superuser`
          select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tally-venue' and datname = current_database()`
      }, 40)
      const told = await Promise.all(terms.map(untilKnown)).finally(() => clearInterval(breaking))
      const hashes = terms.map(({ orderHash }) => orderHash)
      const rows = await world.superuser`
        select order_hash, order_id from signed_orders where order_hash = any(${hashes}::text[])`
      expect(new Map(rows.map(({ order_hash, order_id }) => [order_hash, order_id]))).toEqual(
        new Map(hashes.map((hash, index) => [hash, told[index]])),
      )
      expect(rows).toHaveLength(terms.length)
      const { engine } = await auditUnit(world.superuser, await unitOf(stocks))
      await auditCustody(world.superuser, stocks.custody, [engine])
    })

    it('keep a refusal under their key too', async () => {
      const [anna, bert] = world.traders
      const { body, orderHash } = await world.ask(stocks, { price: 92n * ONE }, anna)
      const headers = { 'idempotency-key': orderHash }
      const send = (change: object = {}) =>
        world.owner.call('POST', `${stocks.prefix}/orders`, { headers, body: { ...body, ...change } })
      const refused = await send({ userAddress: bert.address })
      expect(refused.body.error.code).toBe('INVALID_SIGNATURE')
      const again = await send({ userAddress: bert.address })
      expect(again.text).toBe(refused.text)
      expect(again.headers['idempotent-replay']).toBe('true')
      expect((await send()).body.error.code).toBe('IDEMPOTENCY_MISMATCH')
    })

    it('are one order, when it is one signature, and nobody else is refused for it', async () => {
      const [anna, bert] = world.traders
      const price = 90n * ONE
      const { body, orderHash } = await world.signOrder(anna, stocks, { side: 'SELL', price, quantity: ONE })
      const others = await Promise.all([1, 2, 3, 4].map(() => world.ask(stocks, { price }, bert)))
      const sent = [body, body, body, body, ...others.map((one) => one.body)].map(async (order, index) => {
        const venue = venues[index % 2 === 0 ? 0 : 1]
        const { caller, tenant } = await venue.as(world.owner)
        return venue.signedOrders.submit(
          ...([tenant, caller, `${stocks.prefix}/orders`, stocks.id, order as unknown as Wish] as const),
        )
      })
      const outcomes = await Promise.allSettled(sent)
      const [same, other] = [outcomes.slice(0, 4), outcomes.slice(4)]
      const taken = same.flatMap((one) => (one.status === 'fulfilled' ? [one.value.order.orderId] : []))
      expect(taken).toHaveLength(1)
      for (const one of same)
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject({ code: 'DUPLICATE_ORDER', extra: { orderHash, orderId: taken[0] } })
      expect(other.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
      const { engine } = await auditUnit(world.superuser, await unitOf(stocks))
      await auditCustody(world.superuser, stocks.custody, [engine])
    })
  })
}

import { randomUUID } from 'node:crypto'
import { seededRandom } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { auditCustody, auditUnit } from '../../../test/trading/audit.ts'
import { createRfqWorld, ONE, RFQ, type RfqWorld } from '../../../test/trading/rfq/rfq-world.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import { createLog } from '../../platform/log.ts'
import { systemRandom } from '../../platform/random.ts'
import { createRfqs, type Rfqs } from './index.ts'

const ROUNDS = 5
const PRICE = 40n * ONE

describe('requests for quote that two servers work on at once', () => {
  let world: RfqWorld
  let venue: Venue
  let second: Rfqs

  beforeAll(async () => {
    world = await createRfqWorld()
    venue = startVenue(world)
    const log = createLog({ level: 'silent' })
    second = createRfqs({ ...venue, clock: world.clock, random: systemRandom, log })
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  async function signed(side: 'BUY' | 'SELL') {
    const { body } = await world.signOrder(world.requester, world.books.stocks, {
      side,
      price: PRICE,
      quantity: 5n * ONE,
    })
    const { expiry, nonce, salt, signature } = body as Record<'expiry' | 'nonce' | 'salt' | 'signature', string>
    return { expiry, nonce, salt, signature }
  }

  it('accept one quote at most, whoever cancels, sweeps or trades meanwhile; reservations stay exact', async () => {
    const { owner, requester, providers, books } = world
    const dice = seededRandom(7)
    const { tenant } = await venue.as(owner)
    const requesterAddress = requester.address
    const ended: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const rfq = await world.open({ side: dice.pick(['BUY', 'SELL']) })
      const quoteIds: string[] = []
      for (const provider of providers) quoteIds.push(must(await world.quote(provider, rfq, PRICE)).body.data.id)
      const side = rfq.side
      const acceptances = await Promise.all(
        Array.from({ length: 8 }, async () => ({
          requesterAddress,
          quoteId: dice.pick(quoteIds),
          ...(await signed(side)),
        })),
      )
      const racing = acceptances.map((body, index) => async () => {
        if (index % 2 === 1)
          return second.accept(tenant, rfq.id, body).then(
            () => 200,
            (error: { code: string }) => error.code,
          )
        const headers = { 'idempotency-key': randomUUID() }
        const answer = await owner.call('POST', `${RFQ}/${rfq.id}/accept`, { body, headers })
        return answer.status === 200 ? 200 : answer.body.error.code
      })
      const resting = await world.signOrder(providers[0], books.stocks, {
        side: 'SELL',
        price: 90n * ONE,
        quantity: ONE,
      })
      const others = [
        () => owner.call('POST', `${books.stocks.prefix}/orders`, { body: resting.body }).then(({ status }) => status),
        ...(round % 3 === 1 ? [() => world.cancel(rfq).then(() => 'cancelled')] : []),
        ...(round % 3 === 2 ? [() => world.expire(rfq.id).then(() => second.sweeping.sweep())] : []),
      ]
      const outcomes = await Promise.all(
        dice
          .pick([
            [...racing, ...others],
            [...others, ...racing],
          ])
          .map((run) => run()),
      )
      const after = await world.read(rfq.id)
      const winners = after.quotes.filter(({ status }) => status === 'ACCEPTED')
      const [{ count } = { count: -1 }] = await world.superuser<{ count: number }[]>`
        select count(*)::int from trades where quote_id = any(${quoteIds}::uuid[])`
      expect(outcomes.filter((outcome) => outcome === 'RFQ_EXPIRED' || outcome === 'QUOTE_EXPIRED').length).toBe(
        8 - winners.length,
      )
      expect([after.status === 'ACCEPTED', count]).toEqual([winners.length === 1, winners.length])
      ended.push(after.status)
      must(
        await owner.call('POST', `${books.stocks.prefix}/orders/mass-cancel`, {
          body: { orderBookId: books.stocks.id },
        }),
      )
    }
    await second.sweeping.sweep()
    expect(ended).toHaveLength(ROUNDS)
    const { superuser } = world
    const [unit] = await superuser<
      { id: string }[]
    >`select unit_id as id from order_books where book_id = ${books.stocks.id}`
    const { engine, stateHash } = await auditUnit(superuser, unit?.id ?? '')
    expect(await venue.units.stateHash(unit?.id ?? '')).toBe(stateHash)
    await auditCustody(superuser, books.stocks.custody, [engine])
  })

  it('are swept by one of many, each once, and free what was reserved', async () => {
    const [ada] = world.providers
    const before = await world.reserved(ada, 'base')
    const rfqs = [await world.open(), await world.open()]
    for (const rfq of rfqs) must(await world.quote(ada, rfq, PRICE))
    const part = await world.open()
    const { id } = must(await world.quote(ada, part, PRICE)).body.data
    for (const rfq of rfqs) await world.expire(rfq.id)
    await world.expireQuote(id)
    const sweeps = await Promise.all([second.sweeping.sweep(), second.sweeping.sweep()])
    expect(sweeps.reduce((sum, { swept }) => sum + swept, 0)).toBe(3)
    expect(await world.reserved(ada, 'base')).toBe(before)
    const [row] = await world.superuser`select status from rfqs where rfq_id = ${part.id}`
    expect(row?.status).toBe('PENDING')
    expect(await second.sweeping.sweep()).toEqual({ swept: 0, isFull: false })
  })

  it('tell what happened in the order it was committed, without a gap', async () => {
    const { tenant } = await venue.as(world.owner)
    const [ada] = world.providers
    const all = []
    for (let last = 0n; ; ) {
      const page = await second.notices.eventsAfter(tenant, last)
      if (page.length === 0) break
      all.push(...page)
      last = BigInt(page.at(-1)?.id ?? 0)
    }
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => String(index + 1)))
    const rfq = await world.open()
    const quote = must(await world.quote(ada, rfq, PRICE)).body.data
    await world.cancel(rfq)
    const news = await second.notices.eventsAfter(tenant, BigInt(all.length))
    expect(news.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'RFQ PENDING',
      'QUOTE ACTIVE',
      'RFQ QUOTED',
      'QUOTE WITHDRAWN',
      'RFQ CANCELLED',
    ])
    expect(news[0]?.record).toEqual(rfq)
    expect(news[1]?.record).toEqual(quote)
    const { tenant: stranger } = await venue.as(world.other)
    expect(await second.notices.eventsAfter(stranger, 0n)).toEqual([])
  })
})

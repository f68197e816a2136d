import type { AddressInfo } from 'node:net'
import { type QuoteRecord, rfqOperations } from '@tallystick/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenEvents, listenSocket } from '../../../test/streams/listener.ts'
import { createOffchainWorld, newToken, type OffchainWorld, ONE } from '../../../test/trading/offchain-world.ts'
import { createPool } from '../../../test/trading/pool.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { TestInstance } from '../../../test/world.ts'
import { appendNotices } from './notices.store.ts'

const operation = rfqOperations.streamRfqs
const RFQ = '/orderbooks/stocks/api/rfq'
const PER_KEY = 2

describe('the stream of requests for quote', () => {
  let world: OffchainWorld
  let venue: Venue
  let url: string
  let market: object
  const requesterAddress = newToken()

  beforeAll(async () => {
    world = await createOffchainWorld({ streamSettings: { perKey: PER_KEY, heartbeatMs: 100, recheckMs: 50 } })
    venue = startVenue(world)
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}${RFQ}/stream`
    market = await marketOf(world.instance)
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
  })

  /** A book on chain that can be asked about. */
  async function marketOf(instance: TestInstance): Promise<object> {
    const { pair, bookIds } = await createPool(venue, 'stocks', [instance])
    const [book] = await world.superuser`
      update order_books set base_decimals = 6, quote_decimals = 6 where book_id = ${bookIds[0] ?? ''} returning custody_contract`
    const { tokenAddress: baseToken, quoteTokenAddress: quoteToken } = pair
    return { baseToken, quoteToken, custodyContract: book?.custody_contract }
  }

  const wish = () => ({ key: world.instance.apiKey, operation })

  async function open() {
    const body = { requesterAddress, ...market, side: 'BUY', baseAmount: String(ONE) }
    const { status, body: answer, text } = await world.instance.call('POST', RFQ, { body })
    if (status !== 200) throw new Error(text)
    return answer.data
  }
  const cancel = (id: string) =>
    world.instance.call('POST', `${RFQ}/${id}/cancel`, { body: { requesterAddress } }).then(({ body }) => body.data)

  /** A quote asks the chain; here only the notice of one matters. */
  async function noteQuote(rfqId: string): Promise<QuoteRecord> {
    const { tenant } = await venue.as(world.instance)
    const at = new Date()
    const quote = {
      id: '01890000-0000-7000-8000-000000000077',
      quoteRequestId: rfqId,
      lpAddress: newToken(),
      lpAccountId: null,
      price: '1000000',
      validUntil: at.toISOString(),
      lockId: null,
      status: 'ACTIVE' as const,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    }
    const notice = { rfqId, quoteId: quote.id, status: 'ACTIVE', record: quote }
    await tenant.transaction((sql) => appendNotices(sql, tenant.instanceId, [notice], at))
    return quote
  }

  it('tells each change of a request and of a quote once, and goes on where it was left', async () => {
    const [events, socket] = [await listenEvents(url, wish()), await listenSocket(url, wish())]
    expect([await events.next(), await socket.next()]).toEqual([
      { type: 'ready', id: '0' },
      { type: 'ready', id: '0' },
    ])
    const rfq = await open()
    const opened = await events.next()
    expect(opened).toEqual({
      type: 'notice',
      id: '1',
      kind: 'RFQ',
      rfqId: rfq.id,
      quoteId: null,
      status: 'PENDING',
      record: rfq,
      createdAt: expect.any(String),
    })
    expect(await socket.next()).toEqual(opened)
    expect(await events.next('heartbeat')).toEqual({ type: 'heartbeat', at: '1' })
    expect(events.lastEventId()).toBe('1')
    events.close()
    socket.close()
    // Nobody says a word about this one.
    const quote = await noteQuote(rfq.id)
    const { quotes: _, ...cancelled } = await cancel(rfq.id)
    const later = await listenSocket(`${url}?after=0`, { ...wish(), headers: { 'last-event-id': '1' } })
    expect(await later.next()).toEqual({ type: 'ready', id: '1' })
    expect(await later.next()).toMatchObject({ id: '2', kind: 'QUOTE', quoteId: quote.id, record: quote })
    expect(await later.next()).toMatchObject({ id: '3', kind: 'RFQ', status: 'CANCELLED', record: cancelled })
    later.close()
    const all = await listenEvents(`${url}?after=0`, wish())
    expect(await all.next('notice')).toEqual(opened)
    for (const id of ['2', '3']) expect((await all.next('notice')).id).toBe(id)
    // A change of the key's instance does not part the listener from its news.
    await world.operator.setServices(world.instance.instanceId, ['trading', 'stocks'])
    const another = await open()
    expect(await all.next('notice')).toMatchObject({ id: '4', rfqId: another.id })
    all.close()
  })

  it('finds notices that nobody told it about, page by page', async () => {
    const other = await world.createInstance()
    const wanted = { requesterAddress, ...(await marketOf(other)), side: 'SELL', baseAmount: String(ONE) }
    const rfq = (await other.call('POST', RFQ, { body: wanted })).body.data
    const { tenant } = await venue.as(other)
    const notices = Array.from({ length: 250 }, () => ({
      rfqId: rfq.id,
      quoteId: null,
      status: 'PENDING',
      record: rfq,
    }))
    await tenant.transaction((sql) => appendNotices(sql, tenant.instanceId, notices, new Date()))
    const listener = await listenEvents(`${url}?after=1`, { key: other.apiKey, operation })
    for (let number = 2; number <= 251; number += 1) expect((await listener.next('notice')).id).toBe(String(number))
    listener.close()
  })

  it('is refused with a place that is none, without the wish to stream, and to a key with too many', async () => {
    const headers = { accept: 'text/event-stream' }
    const ask = (query = '', more = {}) =>
      world.instance.call('GET', `${RFQ}/stream${query}`, { headers: { ...headers, ...more } })
    for (const answer of [await ask('?after=x'), await ask('?after=99'), await ask('', { 'last-event-id': 'x' })]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_PARAM'])
      expect(answer.body.error.details).toHaveLength(1)
    }
    const plain = await world.instance.call('GET', `${RFQ}/stream`)
    expect([plain.status, plain.body.error.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    const key = await world.createKey(world.instance, ['trading:read'])
    const listeners = [await listenEvents(url, { key, operation }), await listenEvents(url, { key, operation })]
    const refused = await world.call('GET', `${RFQ}/stream`, { key, headers })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'STREAM_LIMIT_REACHED'])
    for (const listener of listeners) listener.close()
  })
})

import type { AddressInfo } from 'node:net'
import { createTally, followBook, followEvents, isRefusal, items, type OpenSocket, type Tally } from '@tallystick/sdk'
import { WebSocket } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, newToken, type OffchainWorld, ONE, type TestBook } from '../trading/offchain-world.ts'
import { type Forgetful, forgetfulProxy } from './clients.ts'

type Hex = `0x${string}`
const units = (whole: number) => (BigInt(whole) * ONE).toString()
const openSocket: OpenSocket = (url, headers) => new WebSocket(url, { headers })

describe('trading through the SDK, over real connections', () => {
  let world: OffchainWorld
  let tally: Tally
  /** Has no key: whoever has one makes tickets for it. */
  let guest: Tally
  let proxy: Forgetful
  let throughProxy: Tally
  let book: TestBook

  const ticket = async (path: string) => (await tally.access.createStreamTicket({ body: { path } })).data.ticket

  beforeAll(async () => {
    world = await createOffchainWorld()
    await world.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = world.app.server.address() as AddressInfo
    const baseUrl = `http://127.0.0.1:${port}`
    const { apiKey } = world.instance
    const retry = { firstDelayMs: 5, longestDelayMs: 20 }
    tally = createTally({ baseUrl, apiKey, retry })
    guest = createTally({ baseUrl, apiKey: '', retry })
    proxy = await forgetfulProxy(baseUrl)
    throughProxy = createTally({ baseUrl: `${proxy.url}/`, apiKey, retry })
    book = await world.createBook()
    await book.fund('anna', 'bert')
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  it('repeats a write whose answer was lost with the same key, and nothing is done twice', async () => {
    const tokenAddress = newToken() as Hex
    await tally.trading.registerLedgerToken({ body: { tokenAddress, symbol: 'ONCE' } })
    proxy.loseAnswers = 2
    const credited = await throughProxy.trading.creditLedger({
      body: { customerRef: 'clara', tokenAddress, amount: units(7) },
    })
    expect(credited.data.balance.total).toBe(units(7))
    expect(proxy.keys).toHaveLength(3)
    expect(new Set(proxy.keys).size).toBe(1)
    const { data } = await tally.trading.listLedgerEntries({ query: { customerRef: 'clara' } })
    expect(data.entries).toHaveLength(1)
  })

  it('gives up after so many tries, and tells the key to go on with', async () => {
    proxy.loseAnswers = 2
    const body = { tokenAddress: newToken() as Hex, symbol: 'LOST' }
    const lost = throughProxy.trading.registerLedgerToken(
      { body },
      { idempotencyKey: 'our-own-key', retry: { retries: 1 } },
    )
    await expect(lost).rejects.toMatchObject({
      name: 'TallyConnectionError',
      operation: 'registerLedgerToken',
      idempotencyKey: 'our-own-key',
    })
    const again = await throughProxy.trading.registerLedgerToken({ body }, { idempotencyKey: 'our-own-key' })
    expect(again.data.symbol).toBe('LOST')
  })

  it('waits for as long as a rate limit says, and not for ever', async () => {
    const apiKey = await world.createKey(world.instance, ['trading:read'], 1)
    const { baseUrl } = tally.trading.listLedgerTokens.transport.parts
    const waits: number[] = []
    const limited = createTally({
      baseUrl,
      apiKey,
      retry: { longestRetryAfterMs: 120_000 },
      sleep: async (milliseconds) => {
        waits.push(milliseconds)
        world.clock.advance(milliseconds)
      },
    })
    await limited.trading.listLedgerTokens()
    await limited.trading.listLedgerTokens()
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(1_000)
    const { listLedgerTokens } = createTally({ baseUrl, apiKey, retry: { longestRetryAfterMs: 100 } }).trading
    const refused = await listLedgerTokens().catch((error: unknown) => error)
    if (!isRefusal(refused, listLedgerTokens)) throw refused
    expect([refused.code, refused.status]).toEqual(['RATE_LIMIT_EXCEEDED', 429])
    if (refused.code === 'RATE_LIMIT_EXCEEDED') expect(refused.extra.retryAfterSeconds).toBe(refused.retryAfterSeconds)
  })

  it('pages by offset', async () => {
    for (const name of ['p1', 'p2', 'p3'])
      await tally.trading.creditLedger({
        body: { customerRef: name, tokenAddress: book.base as Hex, amount: units(1) },
      })
    const query = { tokenAddress: book.base as Hex, limit: 2 }
    const customers: (string | null)[] = []
    for await (const { customerRef } of items(tally.trading.listLedgerBalances, { query }, ({ data }) => data.balances))
      customers.push(customerRef)
    expect(customers.sort()).toEqual(['anna', 'bert', 'p1', 'p2', 'p3'])
  })

  it.each([
    ['server-sent events', {}],
    ['a WebSocket', { openSocket }],
    ['server-sent events with a ticket', { ticket }],
    ['a WebSocket with a ticket', { openSocket, ticket }],
  ])('follows a book over %s, each message proven, and comes back after the connection broke', async (_, transport) => {
    const client = 'ticket' in transport ? guest : tally
    const streamed = await world.createBook()
    await streamed.fund('anna')
    const params = { orderBookId: streamed.id }
    const stop = new AbortController()
    const lost: unknown[] = []
    const following = followBook(
      client.trading.streamOffchainBook,
      { params },
      {
        ...transport,
        signal: stop.signal,
        onLost: (why) => lost.push(why),
      },
    )
    const first = await following.next()
    expect(first.value?.message).toMatchObject({ type: 'snapshot', bids: [] })
    await streamed.buy('anna', 9n * ONE, ONE)
    const second = await following.next()
    expect(second.value?.message).toMatchObject({ type: 'update', bids: [{ price: units(9), quantity: units(1) }] })

    world.app.server.closeAllConnections()
    for (const socket of world.app.websocketServer.clients) socket.terminate()
    await streamed.buy('anna', 8n * ONE, ONE)
    let prices: string[] = []
    for await (const { book: replica } of following) {
      prices = replica.bids().map(({ price }) => price)
      if (prices.length === 2) break
    }
    expect(prices).toEqual([units(9), units(8)])
    expect(lost.length).toBeGreaterThan(0)
    stop.abort()
  })

  it('follows fills without loss or doubling over broken connections', async () => {
    const params = { orderBookId: book.id }
    await book.sell('anna', 5n * ONE, 10n * ONE)
    const seen: string[] = []
    const fills = followEvents(tally.trading.streamOffchainFills, { params, query: { after: '0' } })
    for (let trade = 1; trade <= 3; trade += 1) {
      await book.buy('bert', 5n * ONE, BigInt(trade) * ONE)
      if (trade === 2) world.app.server.closeAllConnections()
      const { value } = await fills.next()
      if (value) seen.push(value.trade.quantity)
    }
    await fills.return()
    expect(seen).toEqual([units(1), units(2), units(3)])
  })

  it('refuses a stream like any request', async () => {
    const { streamOffchainBook } = tally.trading
    const fault = await streamOffchainBook({ params: { orderBookId: 'nobodys' } })
      .next()
      .catch((error: unknown) => error)
    if (!isRefusal(fault, streamOffchainBook)) throw fault
    expect([fault.code, fault.status]).toEqual(['ORDER_BOOK_NOT_FOUND', 404])
  })
})

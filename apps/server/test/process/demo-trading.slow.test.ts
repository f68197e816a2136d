import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RunningStack, readDemo, startStack, stopStack } from './data-folder.ts'
import { callHttp } from './http-client.ts'
import { seededFolder } from './seeded-folder.ts'

const classes = {
  ...{ stock: 'stocks', commodity: 'commodities', external: 'external-securities', offchain: 'stocks' },
} as const
type Label = keyof typeof classes
const labels = Object.keys(classes) as Label[]
const onChain = labels.filter((label) => label !== 'offchain')

interface Told {
  readonly price: string
  readonly quantity: string
  readonly settlementStatus: string | null
  readonly settlementError: string | null
  readonly makerAddress: string
  readonly takerAddress: string
}

/** The folder was seeded by a start before this one: whatever is seen here outlived it. */
describe('the order books of the demo', () => {
  let folder = ''
  let stack: RunningStack

  beforeAll(async () => {
    folder = await seededFolder()
    stack = await startStack(folder, { args: ['--bots'] })
  })

  const idOf = (label: Label) => stack.demo.orderBooks[label]?.orderBookId ?? ''
  const prefixOf = (label: Label) => `/orderbooks/${classes[label]}/api${label === 'offchain' ? '/offchain' : ''}`
  async function read(path: string, role = 'issuer') {
    const { body } = await callHttp(stack.url, stack.demo.instances[role]?.apiKey ?? '', 'GET', path)
    expect(body.success, `${path}: ${JSON.stringify(body.error)}`).toBe(true)
    return body.data
  }
  const ofBook = (label: Label, rest: string) => read(`${prefixOf(label)}/order-books/${idOf(label)}/${rest}`)
  async function tapeOf(label: Label): Promise<Told[]> {
    const { trades, total } = await ofBook(label, 'trades?limit=100')
    expect(total).toBeGreaterThanOrEqual(4)
    return trades
  }

  it('are told in demo.json, with their owner and class', () => {
    expect(stack.demo.orderBooks).toEqual(
      Object.fromEntries(
        labels.map((label) => [
          label,
          { instance: 'issuer', class: classes[label], orderBookId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        ]),
      ),
    )
    expect(readDemo(folder).rfqs).toEqual({
      shares: { instance: 'issuer', rfqId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
  })

  it.each(labels)('show depth on both sides of the %s book, around a fresh price', async (label) => {
    const { depth, priceReference, lastPrice } = await ofBook(label, 'snapshot')
    expect(depth.bids.length).toBeGreaterThanOrEqual(4)
    expect(depth.asks.length).toBeGreaterThanOrEqual(4)
    expect(BigInt(depth.bids[0].price)).toBeLessThan(BigInt(depth.asks[0].price))
    expect(lastPrice).not.toBeNull()
    expect(Date.now() - Date.parse(priceReference.lastUpdated)).toBeLessThan(15 * 60_000)
  })

  it.each(onChain)('have a tape on the %s book: settled trades, and one that failed', async (label) => {
    const seeded = (await tapeOf(label)).slice(-4)
    expect(seeded.map(({ settlementStatus }) => settlementStatus)).toEqual([
      ...['CONFIRMED', 'CONFIRMED', 'FAILED', 'CONFIRMED'],
    ])
    const failed = seeded.filter(({ settlementError }) => settlementError !== null)
    expect(failed).toMatchObject([{ quantity: '5000000', settlementError: 'ORDER_CANCELLED' }])
    const wallets = [...new Set(seeded.flatMap((one) => [one.makerAddress, one.takerAddress]))]
    expect(wallets).toHaveLength(2)
    expect((await ofBook(label, 'readiness')).ready).toBe(true)
  })

  it('are traded on by two instances', async () => {
    for (const label of onChain) {
      const [listed] = await read(`${prefixOf(label)}/order-books`, 'trader')
      expect(listed).toMatchObject({ id: idOf(label), _imported: true })
      const wallet = stack.demo.instances.trader?.wallets[0]?.address
      const { orders } = await read(`${prefixOf(label)}/users/${wallet}/orders?status=OPEN`, 'trader')
      expect(orders.length).toBeGreaterThanOrEqual(4)
    }
  })

  it('have a request for quote that is open and quoted, and another one when it has ended', async () => {
    const { rfqId = '' } = readDemo(folder).rfqs.shares ?? {}
    const path = `/orderbooks/stocks/api/rfq/${rfqId}`
    const request = await read(path)
    expect(request).toMatchObject({ status: 'QUOTED', quotes: [{ status: 'ACTIVE', price: '99700000' }] })
    const { apiKey = '' } = stack.demo.instances.issuer ?? {}
    const body = { requesterAddress: request.requesterAddress }
    expect((await callHttp(stack.url, apiKey, 'POST', `${path}/cancel`, { body })).status).toBe(200)
    while (readDemo(folder).rfqs.shares?.rfqId === rfqId) await sleep(200)
    const next = await read(`/orderbooks/stocks/api/rfq/${readDemo(folder).rfqs.shares?.rfqId}`)
    expect(next.status).toBe('QUOTED')
  })

  it('get an order back that was taken away', async () => {
    const { apiKey = '', wallets = [] } = stack.demo.instances.trader ?? {}
    const userAddress = wallets[0]?.address
    const path = `${prefixOf('stock')}/users/${userAddress}/orders?status=OPEN&orderBookId=${idOf('stock')}`
    const outermost = (orders: { price: string; orderId: string }[]) => orders.find(({ price }) => price === '97900000')
    const { orderId } = outermost((await read(path, 'trader')).orders) ?? {}
    const gone = `${prefixOf('stock')}/orders/${orderId}`
    expect((await callHttp(stack.url, apiKey, 'DELETE', gone, { body: { userAddress } })).status).toBe(200)
    while (!outermost((await read(path, 'trader')).orders)) await sleep(300)
  })

  it('come to life with bots, which settle what they trade and leave nothing behind', async () => {
    const isLively = async (label: Label) => {
      const trades = await tapeOf(label)
      const own = trades.slice(0, -4)
      return own.some(({ settlementStatus }) => settlementStatus === (label === 'offchain' ? null : 'CONFIRMED'))
    }
    for (const label of labels) while (!(await isLively(label))) await sleep(300)
    await stopStack(stack)
    expect(stack.stderr()).toBe('')
    stack = await startStack(folder)
    for (const label of labels) {
      const { depth } = await ofBook(label, 'snapshot')
      expect([depth.bids.length, depth.asks.length]).toEqual([4, 4])
    }
    await stopStack(stack)
  })
})

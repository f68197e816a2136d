import { createTally } from '@tallystick/sdk'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeWindows, openConsole, overflowOf, PHONE, seriousFaults, signInAs } from './browser/console-page.ts'
import { openBrowser } from './browser/open-browser.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

const HOSTILE = '<img src=x onerror="globalThis.robbed=1">'
const ONE = 1_000_000n

describe('trading in a browser', () => {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), openBrowser()])
  })
  afterEach(() => closeWindows(browser))
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  const baseUrl = () => demo.file.baseUrl
  const clientOf = (instance: string) =>
    createTally({ baseUrl: baseUrl(), apiKey: labelled(demo.file.instances, instance, 'instance').apiKey })
  const bookId = (label: string) => labelled(demo.file.orderBooks, label, 'book').orderBookId
  const urlOf = (kind: string, id: string) => `${baseUrl()}/trade/${kind}/${id}`
  const openOf = async (customerRef: string, id: string) =>
    (
      await clientOf('issuer').trading.listCustomerOrders({
        params: { customerRef },
        query: { orderBookId: id, status: 'OPEN' },
      })
    ).data.orders

  async function signed(role: string, options = {}): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openConsole(browser, baseUrl(), options)
    await signInAs(opened.page, baseUrl(), role)
    return opened
  }

  const live = (page: Page) => page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  const ticket = (page: Page) => page.getByRole('form', { name: 'Order ticket' })

  /** A book of the ledger that only the test trades on. */
  async function ownBook(request: { name?: string; symbol?: string } = {}): Promise<string> {
    const { trading } = clientOf('issuer')
    const address = () => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}` as const
    const [tokenAddress, quoteTokenAddress] = [address(), address()]
    for (const [token, symbol] of [
      [tokenAddress, 'TST'],
      [quoteTokenAddress, 'EUR'],
    ] as const) {
      await trading.registerLedgerToken({ body: { tokenAddress: token, symbol } })
      for (const customerRef of ['borrower', 'trader'])
        await trading.creditLedger({ body: { customerRef, tokenAddress: token, amount: String(1_000_000n * ONE) } })
    }
    const body = {
      ...{ tokenAddress, quoteTokenAddress, name: 'Test book', symbol: 'TST', tokenType: 'STOCK_TOKEN' as const },
      ...{ takerFeeBps: 15, tickSize: '10000', ...request },
    }
    return (await trading.createOffchainBook({ body })).data.id
  }

  const submit = (id: string, customerRef: string, side: 'BUY' | 'SELL', price: bigint, quantity: bigint) =>
    clientOf('issuer').trading.submitOffchainOrder({
      body: {
        ...{ orderBookId: id, customerRef, side, orderType: 'LIMIT' },
        ...{ price: price.toString(), quantity: quantity.toString() },
      },
    })

  it('lets a trader place, change, cancel, take and flatten with the keyboard alone', async () => {
    const id = await ownBook()
    await submit(id, 'borrower', 'SELL', 41n * ONE, 10n * ONE)
    await submit(id, 'borrower', 'BUY', 39n * ONE, 10n * ONE)
    const { page, complaints } = await signed('Administrator')
    await page.goto(urlOf('offchain', id))
    await live(page)
    await ticket(page).getByLabel('For').selectOption('trader')
    await page.getByRole('heading', { level: 1 }).click()

    await page.keyboard.press('p')
    await page.keyboard.type('40')
    await page.keyboard.press('ArrowDown')
    expect(await ticket(page).getByLabel('Price').inputValue()).toBe('39.99')
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await ticket(page).getByText('119.97').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('is in the book').waitFor()
    expect(await openOf('trader', id)).toMatchObject([{ side: 'BUY', price: '39990000', quantity: '3000000' }])
    await page.getByRole('row', { name: /Buy.*39\.99.*3\.00/ }).waitFor()

    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Change the order' })
    await dialog.getByLabel('Whole quantity').fill('2')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await openOf('trader', id))[0]?.quantity).toBe('2000000')
    await page.keyboard.press('c')
    await page.getByText('Cancelled', { exact: true }).waitFor()
    expect(await openOf('trader', id)).toEqual([])

    await page.keyboard.press('m')
    await page.keyboard.press('b')
    await page.keyboard.type('4')
    await page.keyboard.press('Enter')
    await page.getByText('Buy 4.00: filled').waitFor()
    const fills = page.getByRole('region', { name: 'Your fills' })
    await fills.getByRole('row', { name: /Buy.*41\.00.*4\.00/ }).waitFor()
    await page
      .getByRole('region', { name: 'Trades' })
      .getByRole('row', { name: /41\.00/ })
      .first()
      .waitFor()
    await page.getByRole('img', { name: /Candles of TST 15m: last price 41/ }).waitFor()

    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('f')
    const flatten = page.getByRole('dialog', { name: 'Flatten' })
    await flatten.getByText('4.00 TST').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Sell 4.00: filled').waitFor()
    const params = { customerRef: 'trader' }
    const { trades } = (await clientOf('issuer').trading.listCustomerTrades({ params, query: { limit: '10' } })).data
    expect(trades.filter(({ orderBookId }) => orderBookId === id).map(({ side }) => side)).toEqual(['SELL', 'BUY'])
    expect(complaints).toEqual([])
  })

  it('misses nothing of what happened while its stream was away', async () => {
    const id = await ownBook()
    const { page } = await openConsole(browser, baseUrl())
    const sockets: WebSocketRoute[] = []
    let isAway = false
    await page.routeWebSocket(/\/stream/, (socket) => {
      if (isAway) return void socket.close()
      socket.connectToServer()
      sockets.push(socket)
    })
    await signInAs(page, baseUrl(), 'Administrator')
    await page.goto(urlOf('offchain', id))
    await live(page)
    await ticket(page).getByLabel('For').selectOption('trader')
    isAway = true
    for (const socket of sockets) await socket.close()
    await page.getByText('Reconnecting').waitFor()
    for (const price of [50n, 51n, 52n]) {
      await submit(id, 'borrower', 'SELL', price * ONE, ONE)
      await submit(id, 'trader', 'BUY', price * ONE, ONE)
    }
    await submit(id, 'borrower', 'SELL', 53n * ONE, ONE)
    isAway = false
    await live(page)
    const tape = page.getByRole('region', { name: 'Trades' })
    for (const price of ['50.00', '51.00', '52.00']) {
      await tape
        .getByRole('row', { name: new RegExp(price) })
        .first()
        .waitFor()
      await page
        .getByRole('region', { name: 'Your fills' })
        .getByRole('row', { name: new RegExp(price) })
        .waitFor()
    }
    expect(await tape.getByRole('row').count()).toBe(4)
    await page.getByRole('button', { name: 'Use price 53.00' }).waitFor()
    await page.getByRole('img', { name: /last price 52/ }).waitFor()
  })

  it('says what an auction would clear at, before it does', async () => {
    const id = await ownBook()
    const { trading } = clientOf('issuer')
    const { page } = await signed('Administrator')
    await page.goto(urlOf('offchain', id))
    await live(page)
    await trading.updateOrderBook({
      params: { orderBookId: id },
      body: { tradingMode: 'PERIODIC_AUCTION', auctionIntervalSeconds: 600 },
    })
    const strip = page.getByRole('region', { name: 'Auction' })
    await strip.getByText('Nothing crosses yet').waitFor()
    await submit(id, 'borrower', 'SELL', 44n * ONE, 3n * ONE)
    await submit(id, 'trader', 'BUY', 45n * ONE, 3n * ONE)
    await strip.getByText('44.00').waitFor()
    await strip.getByText('3.00', { exact: true }).waitFor()
  })

  it('has a wallet sign what is traded on chain, and the order rests until it is cancelled', async () => {
    const { page, complaints } = await signed('Investor')
    const id = bookId('stock')
    const [own] = labelled(demo.file.instances, 'trader', 'instance').wallets
    const ordersOf = async () =>
      (
        await clientOf('trader').trading.listUserOrders({
          params: { userAddress: own?.address ?? '0x' },
          query: { orderBookId: id, status: 'OPEN', limit: '100' },
        })
      ).data.orders.filter(({ quantity }) => quantity === '1234567')
    await page.goto(`${baseUrl()}/trade`)
    await page.getByRole('link', { name: /NWP/ }).click()
    await live(page)
    const price = await page
      .getByRole('button', { name: /^Use price/ })
      .last()
      .textContent()
    await ticket(page)
      .getByLabel('Price')
      .fill((price ?? '').replaceAll(',', '').replace(' •', ''))
    await ticket(page).getByLabel('Quantity').fill('1.234567')
    await page.keyboard.press('Enter')
    await page.getByText('is in the book').waitFor()
    expect(await ordersOf()).toMatchObject([{ side: 'BUY', userAddress: own?.address.toLowerCase() }])
    const row = page.getByRole('row', { name: /^Choose Buy .*1\.234567/ })
    await row.getByRole('button', { name: 'Cancel order' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await ordersOf()).toEqual([])
    expect(complaints).toEqual([])
  })

  it('ends a race for a quote in one trade, and one clear answer for each', async () => {
    const [first, second, maker] = [await signed('Borrower'), await signed('Borrower'), await signed('Administrator')]
    for (const { page } of [first, second, maker]) await page.goto(`${baseUrl()}/rfq`)
    const form = first.page.getByRole('form', { name: 'Ask for quotes' })
    await form.getByLabel('You want to').selectOption('SELL')
    await form.getByLabel('Whole amount').fill('1.75')
    await form.getByLabel('Open for').selectOption('60')
    await form.getByRole('button', { name: 'Ask for quotes' }).click()
    const cardOf = (page: Page) =>
      page
        .locator('section')
        .filter({ hasText: /^Sell 1\.75 NWP/ })
        .last()
    await maker.page.getByRole('tab', { name: 'Answer requests' }).click()
    const makers = cardOf(maker.page)
    const reference =
      (await makers
        .getByText(/^Reference/)
        .locator('.num')
        .first()
        .textContent()) ?? ''
    await makers.getByLabel('Your price').fill(reference)
    await makers.getByRole('button', { name: 'Quote', exact: true }).click()
    await makers.getByText(/^Quoted:/).waitFor()
    const buttons = [first, second].map(({ page }) => cardOf(page).getByRole('button', { name: 'Accept' }).first())
    for (const button of buttons) await button.waitFor()
    await Promise.all(buttons.map((button) => button.click()))
    const answers = await Promise.all(
      [first, second].map(async ({ page }) => {
        const said = page
          .getByRole('status')
          .or(page.getByRole('alert'))
          .filter({ hasText: /accepted/i })
          .first()
        await said.waitFor()
        return (await said.textContent())?.startsWith('Accepted.') ? 'accepted' : 'already'
      }),
    )
    expect(answers.toSorted()).toEqual(['accepted', 'already'])
    const { rfqs } = (await clientOf('issuer').trading.listRfqs({ query: { status: 'ACCEPTED', limit: '50' } })).data
    const [won] = rfqs.filter(({ baseAmount }) => baseAmount === '1750000')
    expect(won?.quotes.filter(({ status }) => status === 'ACCEPTED')).toHaveLength(1)
  })

  it('shows names as text, has nothing serious for axe, and is never wider than a phone', async () => {
    const id = await ownBook({ name: HOSTILE, symbol: '<b>X' })
    await submit(id, 'borrower', 'SELL', 41n * ONE, 10n * ONE)
    await submit(id, 'trader', 'BUY', 41n * ONE, ONE)
    const paths = ['/trade', `/trade/offchain/${id}`, `/trade/stocks/${bookId('stock')}`, '/rfq']
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await signed('Administrator', { colorScheme })
      const faults: string[] = []
      for (const path of paths) {
        await page.goto(`${baseUrl()}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (path.includes(id)) await page.getByRole('heading', { level: 1 }).getByText(HOSTILE).waitFor()
        if (path !== '/trade') await live(page)
        faults.push(...(await seriousFaults(page)).map((fault) => `${path} ${fault}`))
      }
      expect(faults).toEqual([])
      expect(await page.evaluate('globalThis.robbed')).toBeUndefined()
    }
    const { page } = await signed('Administrator', { viewport: PHONE })
    const wide: string[] = []
    for (const path of paths) {
      await page.goto(`${baseUrl()}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path !== '/trade') await live(page)
      const overflow = await overflowOf(page)
      if (overflow > 0) wide.push(`${path}: ${overflow}`)
    }
    expect(wide).toEqual([])
  })
})

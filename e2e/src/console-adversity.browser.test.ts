import { createTally } from '@tallystick/sdk'
import type { Browser, Page } from 'playwright-core'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeWindows, isProven, openConsole, signAndWait, signInAs } from './browser/console-page.ts'
import { injectWallet } from './browser/injected-wallet.ts'
import { openBrowser } from './browser/open-browser.ts'
import { openOtherSite } from './browser/other-site.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

/** So many steps lead through the whole of a table. */
const STEPS = 120
const SCROLL = `(async () => {
  const element = document.querySelector('section[aria-label="Holders"]')
  const step = element.scrollHeight / ${STEPS}
  for (let at = 0; at < ${STEPS}; at += 1) {
    element.scrollTop += step
    await new Promise(requestAnimationFrame)
  }
})()`

/** What a page computes while something is done with it, in ms. By the clock of its thread: what else the machine does meanwhile does not count. */
async function computedDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const computed = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const { value } = metrics.find(({ name }) => name === 'TaskDuration') ?? { value: Number.NaN }
    return value * 1000
  }
  const before = await computed()
  await work()
  const after = await computed()
  await session.detach()
  return after - before
}

describe('the console when things go wrong', () => {
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
  const instanceOf = (name: string) => labelled(demo.file.instances, name, 'instance')
  const lender = () => createTally({ baseUrl: baseUrl(), apiKey: instanceOf('lender').apiKey })
  const chain = () => createPublicClient({ transport: http(demo.file.rpcUrl) })
  const rpc = (method: string, params: readonly unknown[]): Promise<unknown> =>
    chain().request({ method, params } as never)
  const pool = () =>
    `${baseUrl()}/markets/${labelled(labelled(demo.file.markets, 'stock-freeze', 'market').records, 'lender', 'record')}`
  const sign = (page: Page) => page.getByRole('button', { name: 'Sign and send' })

  async function signed(role: string, options = {}): Promise<Page> {
    const { page } = await openConsole(browser, baseUrl(), options)
    await signInAs(page, baseUrl(), role)
    return page
  }

  async function addLiquidity(page: Page, amount: string): Promise<void> {
    await page.goto(pool())
    await page.getByRole('button', { name: 'Add liquidity' }).click()
    await page.getByLabel('Amount to lend').fill(amount)
    await page.getByRole('button', { name: 'Review' }).click()
  }

  const lendersNonce = () => {
    const [wallet] = instanceOf('lender').wallets
    if (!wallet) throw new Error('the demo has no lender')
    return chain().getTransactionCount({ address: wallet.address })
  }

  /** Takes away the blocks from this one on, and answers what was in them. */
  async function undoFrom(block: bigint): Promise<Hex[]> {
    const head = await chain().getBlockNumber()
    const raw: Hex[] = []
    for (let number = block; number <= head; number += 1n) {
      const { transactions } = await chain().getBlock({ blockNumber: number })
      for (const hash of transactions) raw.push((await rpc('eth_getRawTransactionByHash', [hash])) as Hex)
    }
    await rpc('anvil_reorg', [Number(head - block + 1n), []])
    return raw
  }

  it('shows a reorganization while it happens, on every screen, and the way back', async () => {
    const page = await signed('Lender')
    await addLiquidity(page, '11')
    await signAndWait(page)
    const { data } = await lender().access.listBuiltTransactions({ query: { limit: '1' } })
    const [built] = data.transactions
    const { blockNumber } = await chain().getTransactionReceipt({ hash: built?.txHash as Hex })
    const raw = await undoFrom(blockNumber)
    await page.getByText('Undone by a reorganization of the chain').waitFor()
    const mined = page.locator('li', { hasText: 'Mined and proven' }).locator('.bg-good')
    expect(await mined.count()).toBe(0)

    const other = await page.context().newPage()
    await other.goto(baseUrl())
    await other.getByRole('row').filter({ hasText: 'Transaction was undone' }).waitFor()
    await other.getByRole('link', { name: 'Transactions', exact: true }).click()
    const row = other.getByRole('row').nth(1)
    await row.getByText('Undone', { exact: true }).waitFor()

    for (const one of raw) await rpc('eth_sendRawTransaction', [one]).catch(() => {})
    await row.getByText('Mined', { exact: true }).waitFor()
    await mined.waitFor()
    expect(await page.getByText('Undone by a reorganization of the chain').count()).toBe(0)
  })

  it('signs a transaction once that is open in two windows', async () => {
    const first = await signed('Lender')
    await addLiquidity(first, '12')
    await sign(first).waitFor()
    const second = await first.context().newPage()
    await second.goto(`${baseUrl()}/transactions`)
    await second.getByRole('button', { name: 'Continue' }).first().click()
    await sign(second).waitFor()
    const before = await lendersNonce()
    await signAndWait(first)
    const after = await lendersNonce()
    expect(after).toBeGreaterThan(before)
    // The first window is through with it and has forgotten what it sent.
    await sign(second).click()
    await isProven(second)
    expect(await lendersNonce()).toBe(after)

    await addLiquidity(first, '13')
    await sign(first).waitFor()
    await second.goto(`${baseUrl()}/transactions`)
    await second.getByRole('button', { name: 'Continue' }).first().click()
    await sign(second).waitFor()
    const least = await lendersNonce()
    await Promise.all([sign(first).dblclick(), sign(second).dblclick()])
    await expect.poll(lendersNonce).toBe(least + (after - before))
    await Promise.race([isProven(first), isProven(second)])
    expect(await lendersNonce()).toBe(least + (after - before))
  })

  it('tells every window when one signs out, and when somebody else signs in', async () => {
    const first = await signed('Lender')
    const second = await first.context().newPage()
    await second.goto(pool())
    await second.getByRole('button', { name: 'Add liquidity' }).click()
    await second.getByLabel('Amount to lend').fill('14')
    await first.getByRole('button', { name: 'Account' }).click()
    await first.getByRole('menuitem', { name: 'Sign out' }).click()
    await first.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    // At once, not with the next answer of the service.
    await second.getByText('Your session has ended').waitFor({ timeout: 2_000 })
    expect(await second.getByLabel('Amount to lend').inputValue()).toBe('14')

    await first.getByRole('button', { name: /^Lender/ }).click()
    await first.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await second.getByText('Your session has ended').waitFor({ state: 'detached' })
    expect(await second.getByLabel('Amount to lend').inputValue()).toBe('14')
    await second.getByRole('button', { name: 'Review' }).click()
    await sign(second).waitFor()

    await first.getByRole('button', { name: 'Account' }).click()
    await first.getByRole('menuitem', { name: 'Borrower' }).click()
    // Nothing of the one before is in the hands of the next.
    await sign(second).waitFor({ state: 'detached' })
    await second.getByRole('button', { name: 'Account' }).getByText('Borrower').waitFor()
  })

  it('counts a role that is taken away at once, in a session that is open', async () => {
    const admin = await signed('Lender')
    const page = await signed('Approver')
    await page.goto(pool())
    await page.getByRole('button', { name: 'Add liquidity' }).click()
    await page.getByLabel('Amount to lend').fill('15')
    await admin.goto(`${baseUrl()}/admin`)
    const role = admin.getByLabel('Role: Approver of the lender')
    const { data: before } = await lender().access.listBuiltTransactions({ query: { limit: '1' } })
    await role.selectOption('viewer')
    await expect
      .poll(async () => (await lender().access.listUsers()).data.users.map((user) => user.role))
      .toContain('viewer')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('alert').filter({ hasText: 'scope' }).waitFor()
    expect(await page.getByLabel('Amount to lend').inputValue()).toBe('15')
    const { data: after } = await lender().access.listBuiltTransactions({ query: { limit: '1' } })
    expect(after.transactions).toEqual(before.transactions)
    await page.goto(`${baseUrl()}/transactions`)
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
    expect(await page.getByRole('button', { name: 'Review' }).count()).toBe(0)
    await role.selectOption('approver')
  })

  it('goes on after a wallet that disconnects, also in the middle of signing', async () => {
    const { page } = await openConsole(browser, baseUrl())
    const [, borrower] = instanceOf('issuer').wallets
    if (!borrower) throw new Error('the demo has no borrower')
    const wallet = await injectWallet(page, borrower.privateKey, demo.file.rpcUrl, demo.file.chainId)
    await page.goto(baseUrl())
    await page.getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const market = labelled(labelled(demo.file.markets, 'freeze', 'market').records, 'issuer', 'record')
    await page.goto(`${baseUrl()}/markets/${market}/loans/2`)
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Browser wallet').click()
    const connect = page.getByRole('button', { name: 'Connect Test wallet' })
    await connect.click()
    await sign(page).waitFor()

    await wallet.emit('disconnect', { code: 4900, message: 'gone' })
    await connect.waitFor()
    expect(await sign(page).count()).toBe(0)
    await connect.click()
    await sign(page).waitFor()
    wallet.mood.isGone = true
    await sign(page).click()
    await page.getByText('the wallet is not connected').waitFor()
    expect(wallet.sent).toEqual([])
    wallet.mood.isGone = false
    await sign(page).dblclick()
    await isProven(page)
    expect(wallet.sent.length).toBeLessThanOrEqual(2)
  })

  it('lets no other page act with the session, nor frame it', async () => {
    const page = await signed('Lender')
    const people = async () => (await lender().access.listUsers()).data.users
    const before = await people()
    const body = JSON.stringify({ address: '0x00000000000000000000000000000000000000b2', name: 'Thief', role: 'admin' })
    const target = `${baseUrl()}/access/api/users`
    const site = await openOtherSite(`<!doctype html><title>Prizes</title>
      <iframe id="frame" src="${baseUrl()}/"></iframe>
      <form method="post" enctype="text/plain" action="${target}"><input name='${body.slice(0, -1)},"x":"' value='"}'></form>`)
    const attempts = [
      `fetch('${target}', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '${body}' })`,
      `fetch('${target}', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '${body}' })`,
      `fetch('${baseUrl()}/access/api/session', { credentials: 'include' }).then((answer) => answer.text())`,
    ]
    for (const origin of [site.foreign, site.neighbour]) {
      const hostile = await page.context().newPage()
      await hostile.goto(origin)
      const [sent, asked, read] = await Promise.all(
        attempts.map((attempt) =>
          hostile.evaluate(`${attempt}.then((said) => typeof said === 'string' ? said : said.type, () => 'refused')`),
        ),
      )
      // What is sent blindly is not seen; what needs leave gets none; nothing is read.
      expect([origin, sent, asked, read]).toEqual([origin, 'opaque', 'refused', 'refused'])
      const framed = hostile.frames().find((frame) => frame !== hostile.mainFrame())
      expect(await framed?.evaluate('document.body.textContent ?? ""').catch(() => '')).not.toContain('Tallystick')
      const [answer] = await Promise.all([
        hostile.waitForResponse((response) => response.url() === target),
        hostile.evaluate('document.forms[0].submit()'),
      ])
      expect(answer.status()).toBeGreaterThanOrEqual(400)
      // A window that is closed while it changes its page may never say that it is closed.
      await hostile.waitForURL(target)
      await hostile.close()
    }
    await site.stop()
    expect(await people()).toEqual(before)
  })

  it('shows ten thousand rows without holding up the page', async () => {
    const page = await signed('Administrator')
    const stock: Address = labelled(demo.file.tokens, 'NWP', 'token')
    const rows = 10_000
    // The service answers in pages, and a hundred of them are not made on chain for this: it is the table that is tried.
    await page.route('**/stocks/api/fetch/holders/**', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: object }
      const holders = Array.from({ length: rows }, (_, at) => ({
        address: `0x${(at + 1).toString(16).padStart(40, '0')}`,
        balance: String(rows - at),
      }))
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, holders, total: rows } } })
    })
    await page.goto(`${baseUrl()}/cap-table/${stock}`)
    const table = page.getByRole('region', { name: 'Holders' })
    await table.getByRole('row').nth(5).waitFor()
    expect(await table.getByRole('row').count()).toBeLessThan(100)
    expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rows + 1))
    const computed = await computedDuring(page, () => page.evaluate(SCROLL))
    expect(computed).toBeGreaterThan(0)
    expect(computed / STEPS).toBeLessThan(50)
    await table
      .getByRole('row', { name: new RegExp(`${rows.toString(16)}`) })
      .first()
      .waitFor()
    expect(await table.getByRole('row').count()).toBeLessThan(100)
  })
})

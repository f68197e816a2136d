import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Address } from '@tallystick/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsole, signInAs } from './browser/console-page.ts'
import { openBrowser } from './browser/open-browser.ts'
import { PICTURE_SIZE, picture } from './browser/pictures.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
/** All pictures together. */
const MOST_BYTES = 1_500_000
const NEWCOMER = '0x00000000000000000000000000000000000c0ffe'

interface Scene {
  readonly path: () => string
  /** Whatever a reader does before the picture. */
  readonly doing?: (page: Page) => Promise<unknown>
  /** Its name; none: only looked at. */
  readonly picture?: string
}

describe('the guides of the console', () => {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  const marketOf = (label: string, instance: string) =>
    `/markets/${labelled(labelled(demo.file.markets, label, 'market').records, instance, 'record')}`
  const loanOf = (label: string, instance: string) =>
    `${marketOf(label, instance)}/loans/${labelled(demo.file.markets, label, 'market').loans.healthy}`
  const stock = () => labelled(demo.file.tokens, 'NWP', 'token')
  const ledgerBook = () => `/trade/offchain/${labelled(demo.file.orderBooks, 'offchain', 'book').orderBookId}`
  const walletOf = (label: string): Address => {
    const all = Object.values(demo.file.instances).flatMap(({ wallets }) => wallets)
    const found = all.find((one) => one.label === label)
    if (!found) throw new Error(`the demo has no wallet ${label}`)
    return found.address
  }
  const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click()
  const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()

  /** The keeper of the demo asks again and again. */
  const pastRequests = (page: Page) => page.getByRole('columnheader', { name: 'Asked' }).waitFor()

  /** Everything that can be read on the screen, and what is said about what has no words. */
  const readable = (page: Page) =>
    page.evaluate<string>(
      `document.body.innerText + ' ' + [...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel).join(' ')`,
    )

  async function settled(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[role=status] .bg-raised').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  }

  /** The words that a guide sets in bold are those of the screens it leads over. */
  async function follow(guide: string, role: string, scenes: readonly Scene[]): Promise<void> {
    const { page, complaints } = await openConsole(browser, demo.file.baseUrl, {
      viewport: PICTURE_SIZE,
      colorScheme: 'light',
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await page.goto(demo.file.baseUrl)
    await page
      .getByRole('button', { name: new RegExp(`^${role}`) })
      .first()
      .waitFor()
    let read = await readable(page)
    await signInAs(page, demo.file.baseUrl, role)
    for (const scene of scenes) {
      await page.goto(`${demo.file.baseUrl}${scene.path()}`)
      await settled(page)
      read += await readable(page)
      await scene.doing?.(page)
      await settled(page)
      read += await readable(page)
      if (!scene.picture) continue
      const { now, taken } = await picture(page, scene.picture)
      expect(now, `docs/pictures/${scene.picture}.webp is stale: npm run pictures`).toEqual(taken)
    }
    const text = readFileSync(`${DOCS}console/${guide}.md`, 'utf8')
    const named = [...text.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, name = '']) => name)
    expect(named.filter((name) => !read.toLowerCase().includes(name.toLowerCase()))).toEqual([])
    const shown = scenes.flatMap((scene) => scene.picture ?? [])
    expect([...text.matchAll(/pictures\/(.+?)\.webp/g)].flatMap(([, name = '']) => name)).toEqual(shown)
    expect(complaints).toEqual([])
    await page.context().close()
  }

  it('leads a trader', () =>
    follow('trader', 'Borrower', [
      { path: () => '/trade' },
      {
        ...{ path: ledgerBook, picture: 'trade' },
        doing: async (page) => {
          await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
          await page.getByRole('radiogroup').getByText('4h', { exact: true }).click()
          await page.getByRole('img', { name: /Candles of ALPS 4h/ }).waitFor()
          await page.getByLabel('Price', { exact: true }).fill('39.80')
          await page.getByLabel('Quantity', { exact: true }).fill('25')
          await page.getByText('995.00').first().waitFor()
        },
      },
      {
        ...{ path: () => '/rfq', picture: 'quotes' },
        doing: async (page) => {
          await page.getByRole('button', { name: 'Accept' }).first().waitFor()
          await pastRequests(page)
          await page.getByLabel('Whole amount').fill('250')
        },
      },
    ]))

  it('leads a market maker', () =>
    follow('market-maker', 'Administrator', [
      { path: () => '/rfq' },
      {
        ...{ path: () => '/rfq', picture: 'maker' },
        doing: async (page) => {
          const asking = await openConsole(browser, demo.file.baseUrl)
          await signInAs(asking.page, demo.file.baseUrl, 'Borrower')
          await asking.page.goto(`${demo.file.baseUrl}/rfq`)
          await asking.page.getByLabel('You want to').selectOption('SELL')
          await asking.page.getByLabel('Whole amount').fill('12')
          await asking.page.getByLabel('Open for').selectOption('60')
          await asking.page.getByRole('button', { name: 'Ask for quotes' }).click()
          await tab('Answer requests')(page)
          const card = page
            .locator('section')
            .filter({ hasText: /^Sell 12\.00 NWP/ })
            .last()
          await card.getByLabel('Your price').waitFor()
          const reference = await card
            .getByText(/^Reference/)
            .locator('.num')
            .first()
            .textContent()
          await card.getByLabel('Your price').fill(reference ?? '')
          await card.getByRole('button', { name: 'Quote', exact: true }).click()
          await card.getByRole('button', { name: 'Withdraw' }).waitFor()
          await pastRequests(page)
          await asking.page.context().close()
        },
      },
    ]))

  it('leads a lender', () =>
    follow('lender', 'Lender', [
      { path: () => '/markets' },
      { path: () => marketOf('custody', 'lender'), picture: 'market' },
      {
        ...{ path: () => marketOf('stock-freeze', 'lender'), picture: 'drawer' },
        doing: async (page) => {
          await button('Add liquidity')(page)
          await page.getByLabel('Amount to lend').fill('5000')
          await button('Review')(page)
          await page.getByRole('button', { name: 'Sign and send' }).waitFor()
        },
      },
      {
        ...{ path: () => '/risk', picture: 'risk' },
        doing: (page) => page.getByRole('slider').fill('-1500'),
      },
      { path: () => loanOf('custody', 'lender') },
    ]))

  it('leads a borrower', () =>
    follow('borrower', 'Borrower', [
      {
        ...{ path: () => marketOf('freeze', 'issuer'), picture: 'open-loan' },
        doing: async (page) => {
          await button('Open a loan')(page)
          await page.getByLabel('Collateral to pledge').fill('120')
          await page.getByLabel('Amount to borrow').fill('4000')
        },
      },
      { path: () => loanOf('custody', 'issuer'), picture: 'loan' },
      {
        path: () => '/liquidations',
        doing: (page) => page.getByRole('button', { name: 'Claim' }).first().waitFor(),
      },
    ]))

  it('leads a liquidator', () =>
    follow('liquidator', 'Liquidator', [
      { path: () => '/liquidations', picture: 'liquidations' },
      { path: () => '/liquidations', picture: 'bid', doing: button('Bid') },
      { path: () => '/liquidations', picture: 'sell', doing: button('Sell') },
    ]))

  it('leads a compliance officer', () =>
    follow('compliance-officer', 'Administrator', [
      { path: () => '/investors' },
      {
        ...{ path: () => '/investors/ask', picture: 'refused' },
        doing: async (page) => {
          await page.getByLabel('From', { exact: true }).fill(walletOf('Borrower'))
          await page.getByLabel('To', { exact: true }).fill(NEWCOMER)
          await page.getByRole('combobox', { name: /^Of/ }).selectOption({ label: 'Nordlicht Windpark AG (NWP)' })
          await page.getByRole('button', { name: 'Ask', exact: true }).click()
          await page.getByText('The receiver has no identity that the registry admits').waitFor()
        },
      },
      { path: () => `/investors/${walletOf('Borrower')}`, picture: 'investor' },
      { path: () => '/register?q=nord', picture: 'register' },
    ]))

  it('leads an issuer', () =>
    follow('issuer', 'Administrator', [
      { path: () => `/cap-table/${stock()}`, picture: 'cap-table' },
      { path: () => `/cap-table/${stock()}?tab=roles` },
      {
        ...{ path: () => `/cap-table/${stock()}?tab=actions`, picture: 'split' },
        doing: async (page) => {
          await tab('Split')(page)
          await page.getByText('signed orders end for good').waitFor()
        },
      },
      { path: () => '/tokens', picture: 'tokens' },
    ]))

  it('leads an administrator', () =>
    follow('administrator', 'Administrator', [
      { path: () => '/admin', picture: 'users' },
      { path: () => '/admin?tab=keys', picture: 'keys' },
      { path: () => '/admin?tab=wallets' },
      { path: () => '/admin?tab=webhooks' },
      { path: () => '/admin?tab=health', picture: 'health' },
      { path: () => '/admin?tab=audit' },
    ]))

  it('shows pictures that are small', () => {
    const names = Object.keys(JSON.parse(readFileSync(`${DOCS}pictures/shown.json`, 'utf8')) as object)
    const sizes = names.map((name) => statSync(`${DOCS}pictures/${name}.webp`).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })
})

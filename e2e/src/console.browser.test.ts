import { createTally } from '@tallystick/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  closeWindows,
  isProven,
  openConsole,
  overflowOf,
  PHONE,
  seriousFaults,
  settled,
  signAndWait,
  signInAs,
} from './browser/console-page.ts'
import { injectWallet } from './browser/injected-wallet.ts'
import { openBrowser } from './browser/open-browser.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

/** A name that would be a script, were it not text. */
const HOSTILE = '<img src=x onerror="globalThis.robbed=1">"\'&'

describe('the console in a browser', () => {
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
    createTally({
      baseUrl: baseUrl(),
      apiKey: labelled(demo.file.instances, instance, 'instance').apiKey,
      surfaces: { lending: 'lending-external-securities-v2' },
    })
  const recordOf = (market: string, instance: string) =>
    labelled(labelled(demo.file.markets, market, 'market').records, instance, 'record')
  const marketUrl = (market: string, instance: string) => `${baseUrl()}/markets/${recordOf(market, instance)}`

  async function signed(role: string, options = {}): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openConsole(browser, baseUrl(), options)
    await signInAs(opened.page, baseUrl(), role)
    return opened
  }

  const collateralOf = async (marketId: string) => {
    const { data } = await clientOf('issuer').lending.listPositions({ params: { marketId }, query: { limit: 200 } })
    return data.positions.map(({ collateralAmount }) => collateralAmount)
  }

  it('lets a borrower open a loan, and signs once however often it is clicked', async () => {
    const { page, complaints } = await signed('Borrower')
    const marketId = recordOf('freeze', 'issuer')
    const before = await collateralOf(marketId)
    await page.goto(marketUrl('freeze', 'issuer'))
    await page.getByRole('button', { name: 'Open a loan' }).click()
    await page.getByLabel('Collateral to pledge').fill('37')
    await page.getByLabel('Amount to borrow').fill('99999')
    await page.getByText('More than').waitFor()
    await page.getByLabel('Amount to borrow').fill('500')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Pledges 37 NORD and borrows 500 dEUR.').waitFor()
    await page.getByText('Decoded call').click()
    await page.getByText('openLoan', { exact: true }).waitFor()
    await signAndWait(page)
    const after = await collateralOf(marketId)
    expect(after.filter((amount) => amount === '37')).toHaveLength(1)
    expect(after).toHaveLength(before.length + 1)
    expect(complaints).toEqual([])
  })

  it('lets a lender add liquidity to a pool', async () => {
    const { page, complaints } = await signed('Lender')
    const params = { marketId: recordOf('stock-freeze', 'lender') }
    const { data: before } = await clientOf('lender').lending.getMetrics({ params })
    await page.goto(marketUrl('stock-freeze', 'lender'))
    await page.getByRole('button', { name: 'Add liquidity' }).click()
    await page.getByLabel('Amount to lend').fill('250')
    await page.getByRole('button', { name: 'Review' }).click()
    await signAndWait(page)
    const { data: after } = await clientOf('lender').lending.getMetrics({ params })
    expect(Number(after.totalDeposits) - Number(before.totalDeposits)).toBeCloseTo(250, 2)
    expect(complaints).toEqual([])
  })

  it('lets a liquidator seize a loan', async () => {
    const { page, complaints } = await signed('Lender')
    const marketId = recordOf('custody', 'lender')
    const pending = async () =>
      (await clientOf('lender').lending.listPendingLiquidations({ params: { marketId } })).data.pendingLiquidations
    const before = await pending()
    await page.goto(`${baseUrl()}/liquidations`)
    const row = page.getByRole('region', { name: 'Seizable now' }).getByRole('row', { name: /in custody/ })
    await row.getByRole('button', { name: 'Seize' }).click()
    await signAndWait(page)
    await expect.poll(async () => (await pending()).length).toBe(before.length + 1)
    expect(complaints).toEqual([])
  })

  it('lets an administrator add a user, change the role and remove it', async () => {
    const { page, complaints } = await signed('Lender')
    await page.goto(`${baseUrl()}/admin`)
    await page.getByRole('button', { name: 'Add a user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Risk officer')
    await dialog.getByLabel('Wallet address').fill('0x00000000000000000000000000000000000000a1')
    await dialog.getByRole('button', { name: 'Add a user' }).click()
    const row = page.getByRole('row', { name: /Risk officer/ })
    await row.waitFor()
    const users = async () => (await clientOf('lender').access.listUsers()).data.users
    await row.getByLabel('Role: Risk officer').selectOption('approver')
    await expect.poll(async () => (await users()).find(({ name }) => name === 'Risk officer')?.role).toBe('approver')
    await page.reload()
    expect(await row.getByLabel('Role: Risk officer').inputValue()).toBe('approver')
    await row.getByRole('button', { name: 'Remove Risk officer' }).click()
    await row.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  it('finds a transaction again that was left before it was signed', async () => {
    const { page } = await signed('Borrower')
    await page.goto(`${marketUrl('freeze', 'issuer')}/loans/2`)
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Sign and send' }).waitFor()
    await page.goto(`${baseUrl()}/transactions`)
    await page.getByRole('button', { name: 'Continue' }).first().click()
    await signAndWait(page)
    await page.reload()
    await page
      .getByRole('row')
      .filter({ hasText: /Mined|Final/ })
      .first()
      .waitFor()
  })

  it('keeps what was typed when the session ends in the middle of a form', async () => {
    const { page } = await signed('Borrower')
    await page.goto(marketUrl('freeze', 'issuer'))
    await page.getByRole('button', { name: 'Open a loan' }).click()
    await page.getByLabel('Collateral to pledge').fill('12')
    await page.getByLabel('Amount to borrow').fill('100')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Borrower' }).click()
    expect(await page.getByLabel('Collateral to pledge').inputValue()).toBe('12')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Pledges 12 NORD and borrows 100 dEUR.').waitFor()
  })

  it('signs with a wallet of the browser, and says what is wrong with it before signing', async () => {
    const { page, complaints } = await openConsole(browser, baseUrl())
    const [, borrower] = labelled(demo.file.instances, 'issuer', 'instance').wallets
    if (!borrower) throw new Error('the demo has no borrower')
    const wallet = await injectWallet(page, borrower.privateKey, demo.file.rpcUrl, demo.file.chainId)
    await page.goto(baseUrl())
    await page.getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.goto(`${marketUrl('freeze', 'issuer')}/loans/2`)
    await page.getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Browser wallet').click()
    await page.getByRole('button', { name: 'Connect Test wallet' }).click()
    const sign = page.getByRole('button', { name: 'Sign and send' })
    await sign.waitFor()

    await wallet.emit('chainChanged', '0x1')
    await page.getByText('Your wallet is on chain 1').waitFor()
    expect(await sign.isDisabled()).toBe(true)
    await wallet.emit('chainChanged', `0x${demo.file.chainId.toString(16)}`)
    await wallet.emit('accountsChanged', ['0x00000000000000000000000000000000000000a1'])
    await page.getByText('This has to be signed by').waitFor()
    expect(await sign.isDisabled()).toBe(true)
    await wallet.emit('accountsChanged', [borrower.address])

    wallet.mood.rejects = true
    await sign.click()
    await page.getByText('You rejected it in the wallet').waitFor()
    expect(wallet.sent).toEqual([])
    wallet.mood.rejects = false
    await sign.dblclick()
    await isProven(page)
    // An approval and the repayment.
    expect(wallet.sent.length).toBeLessThanOrEqual(2)
    expect(complaints).toEqual([])
  })

  it('shows names as text, whatever they are made of', async () => {
    const { page } = await signed('Lender')
    await page.goto(`${baseUrl()}/vaults`)
    await page.getByRole('button', { name: 'Deploy a vault' }).click()
    await page.getByLabel('Name').fill(HOSTILE)
    await page.getByLabel('Symbol').fill('<b>X')
    await page.getByRole('button', { name: 'Review' }).click()
    await signAndWait(page)
    await page.goto(`${baseUrl()}/vaults`)
    await page.getByText(HOSTILE).waitFor()
    await page.getByText(HOSTILE).click()
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    expect(await page.evaluate('globalThis.robbed')).toBeUndefined()
  })

  const PAGES = () => [
    '/',
    '/transactions',
    '/markets',
    `/markets/${recordOf('freeze', 'lender')}`,
    ...['loans', 'parameters', 'setup', 'auction', 'fees', 'upgrades'].map(
      (tab) => `/markets/${recordOf('freeze', 'lender')}?tab=${tab}`,
    ),
    `/markets/${recordOf('freeze', 'lender')}/loans/2`,
    '/risk',
    '/liquidations',
    '/vaults',
    '/admin',
  ]

  it.each(['light', 'dark'] as const)('has nothing serious for axe on any screen, %s', async (colorScheme) => {
    const { page, complaints } = await openConsole(browser, baseUrl(), { colorScheme })
    const faults: string[] = []
    await page.goto(baseUrl())
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    faults.push(...(await seriousFaults(page)))
    await signInAs(page, baseUrl(), 'Lender')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(colorScheme)
    for (const path of PAGES()) {
      await settled(page, `${baseUrl()}${path}`)
      faults.push(...(await seriousFaults(page)).map((fault) => `${path} ${fault}`))
    }
    expect(faults).toEqual([])
    expect(complaints).toEqual([])
  })

  it('is never wider than a phone', async () => {
    const { page } = await signed('Lender', { viewport: PHONE })
    const wide: string[] = []
    for (const path of PAGES()) {
      await settled(page, `${baseUrl()}${path}`)
      const overflow = await overflowOf(page)
      if (overflow > 0) wide.push(`${path}: ${overflow}`)
    }
    expect(wide).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Vaults' }).click()
    await page.waitForURL('**/vaults')
  })

  it('is used from the keyboard alone', async () => {
    const { page } = await openConsole(browser, baseUrl())
    await page.goto(baseUrl())
    await page.getByRole('button', { name: 'Borrower' }).waitFor()
    /** Tab until the element with this name has the focus. */
    async function tabTo(name: string | RegExp): Promise<void> {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate<string>(
          '(document.activeElement?.getAttribute("aria-label") ?? "") + " " + (document.activeElement?.textContent ?? "")',
        )
        if (typeof name === 'string' ? focused.includes(name) : name.test(focused)) return
      }
      throw new Error(`${String(name)} cannot be reached with the Tab key`)
    }
    await tabTo('Borrower')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await tabTo('Skip to content')
    await tabTo(/^ Markets$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Markets' }).waitFor()
    await tabTo(/^ Nordlicht Windpark 4\.5% 2030/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open a loan' }).waitFor()
    await tabTo('Open a loan')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Open a loan' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  // Last: it stays on for the lender.
  it('has a second person approve what is built, and goes on by itself', async () => {
    const maker = await signed('Lender')
    const other = await signed('Approver')
    const { page } = maker
    await page.goto(`${baseUrl()}/admin`)
    await page.getByRole('button', { name: 'Require a second person' }).click()
    await page.getByText('Required', { exact: true }).waitFor()
    const sign = page.getByRole('button', { name: 'Sign and send' })

    async function ask(amount: string): Promise<void> {
      await page.goto(marketUrl('stock-freeze', 'lender'))
      await page.getByRole('button', { name: 'Add liquidity' }).click()
      await page.getByLabel('Amount to lend').fill(amount)
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Waiting for approval').waitFor()
      await page.getByText(/has to approve it: .*Approver of the lender/).waitFor()
      expect(await sign.count()).toBe(0)
    }
    async function review(): Promise<void> {
      await other.page.goto(`${baseUrl()}/transactions`)
      const row = other.page.getByRole('row').filter({ hasText: 'Waiting for approval' }).first()
      await row.getByRole('button', { name: 'Review' }).click()
      await other.page.getByText('Decoded call').first().click()
      await other.page.getByText('Function', { exact: true }).first().waitFor()
      expect(await seriousFaults(other.page)).toEqual([])
    }

    await ask('111')
    expect(await seriousFaults(page)).toEqual([])
    await review()
    await other.page.getByRole('button', { name: 'Approve' }).click()
    await other.page.getByRole('dialog').waitFor({ state: 'detached' })
    await sign.waitFor()
    await signAndWait(page)

    await ask('112')
    await review()
    await other.page.getByRole('button', { name: 'Reject' }).click()
    await other.page.getByLabel('Why it is rejected').fill('Not today.')
    await other.page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected by Approver of the lender: Not today.').waitFor()
    expect(await sign.count()).toBe(0)
    expect([...maker.complaints, ...other.complaints]).toEqual([])
  })
})

import { createTally } from '@tallystick/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  closeWindows,
  openConsole,
  overflowOf,
  PHONE,
  seriousFaults,
  settled,
  signAndWait,
  signInAs,
} from './browser/console-page.ts'
import { type HostileName, nameEverything, shownOf, turningIn } from './browser/hostile-names.ts'
import { openBrowser } from './browser/open-browser.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

interface Screen {
  readonly role: string
  readonly path: () => string
  /** What opens it, where it has no address of its own. */
  readonly doing?: (page: Page) => Promise<unknown>
}

describe('every screen, whatever things are called', () => {
  let demo: RunningDemo
  let browser: Browser
  let vault: string
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), openBrowser()])
    vault = await vaultWithHistory()
    await closeWindows(browser)
  })
  afterEach(() => closeWindows(browser))
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  const baseUrl = () => demo.file.baseUrl
  const stock = () => labelled(demo.file.tokens, 'NWP', 'token')
  const bookOf = (label: string) => labelled(demo.file.orderBooks, label, 'book').orderBookId
  const market = () =>
    `/markets/${labelled(labelled(demo.file.markets, 'freeze', 'market').records, 'lender', 'record')}`
  const lending = () =>
    createTally({
      baseUrl: baseUrl(),
      apiKey: labelled(demo.file.instances, 'lender', 'instance').apiKey,
      surfaces: { lending: 'lending-external-securities-v2' },
    }).lending

  /** Deployed and paid into on its screens. */
  async function vaultWithHistory(): Promise<string> {
    const { page } = await openConsole(browser, baseUrl())
    await signInAs(page, baseUrl(), 'Lender')
    await page.goto(`${baseUrl()}/vaults`)
    await page.getByRole('button', { name: 'Deploy a vault' }).click()
    await page.getByLabel('Name').fill('History')
    await page.getByLabel('Symbol').fill('HIST')
    await page.getByLabel('Asset address').fill(labelled(demo.file.tokens, 'dEUR', 'token'))
    await page.getByRole('button', { name: 'Review' }).click()
    await signAndWait(page)
    const { data } = await lending().listVaults()
    const address = data.vaults.find(({ name }) => name === 'History')?.vaultAddress
    if (!address) throw new Error('the vault is not listed')
    await page.goto(`${baseUrl()}/vaults/${address}`)
    await page.getByLabel('Amount').fill('100')
    await page.getByRole('button', { name: 'Review' }).click()
    await signAndWait(page)
    return address
  }

  const SCREENS: readonly Screen[] = [
    { role: 'Lender', path: () => '/markets' },
    { role: 'Lender', path: market },
    { role: 'Lender', path: () => '/liquidations' },
    {
      role: 'Lender',
      path: () => '/liquidations',
      doing: (page: Page) => page.getByRole('button', { name: 'Sell', exact: true }).first().click(),
    },
    { role: 'Lender', path: () => '/vaults' },
    {
      role: 'Lender',
      path: () => `/vaults/${vault}`,
      doing: (page: Page) => page.getByRole('img', { name: 'Share price over time' }).waitFor(),
    },
    {
      role: 'Borrower',
      path: () => '/liquidations',
      doing: (page: Page) => page.getByRole('button', { name: 'Claim' }).first().waitFor(),
    },
    { role: 'Borrower', path: () => '/rfq' },
    { role: 'Borrower', path: () => `/rfq/${labelled(demo.fileNow().rfqs, 'shares', 'request for quote').rfqId}` },
    { role: 'Administrator', path: () => '/' },
    { role: 'Administrator', path: () => '/risk' },
    {
      role: 'Administrator',
      path: () => '/risk',
      doing: async (page: Page) => {
        await page
          .getByRole('button', { name: /^Asset data of/ })
          .first()
          .click()
        await page.getByRole('dialog').getByText('"schemaVersion"').waitFor()
      },
    },
    { role: 'Administrator', path: () => '/trade' },
    {
      role: 'Administrator',
      path: () => `/trade/external-securities/${bookOf('external')}`,
      doing: (page: Page) =>
        page
          .getByRole('region', { name: /^Days of/ })
          .getByRole('row')
          .nth(1)
          .waitFor(),
    },
    ...[
      ...['/investors', '/cap-table', '/tokens', '/register?q=Nord', '/register?tab=changes'].map((path) => () => path),
      ...['', '?tab=roles', '?tab=actions', '?tab=history', '/extract'].map(
        (rest) => () => `/cap-table/${stock()}${rest}`,
      ),
      () => `/tokens/${stock()}`,
      ...['users', 'keys', 'wallets', 'webhooks', 'audit'].map((tab) => () => `/admin?tab=${tab}`),
    ].map((path) => ({ role: 'Administrator', path })),
  ]

  /** Goes over all screens and answers what `look` finds, each with where it was. */
  async function over(
    options: Parameters<typeof openConsole>[2],
    prepare: (page: Page) => Promise<unknown>,
    look: (page: Page, screen: Screen) => Promise<readonly string[]>,
  ): Promise<string[]> {
    const found: string[] = []
    for (const role of new Set(SCREENS.map((screen) => screen.role))) {
      const { page } = await openConsole(browser, baseUrl(), options)
      await signInAs(page, baseUrl(), role)
      await prepare(page)
      for (const screen of SCREENS.filter((one) => one.role === role)) {
        await settled(page, `${baseUrl()}${screen.path()}`)
        await screen.doing?.(page)
        found.push(
          ...(await look(page, screen)).map((one) => `${role} ${screen.path()}${screen.doing ? ' +' : ''} ${one}`),
        )
      }
    }
    return found
  }

  it.each(['light', 'dark'] as const)('has nothing serious for axe, %s', async (colorScheme) => {
    expect(
      await over(
        { colorScheme },
        async () => {},
        (page) => seriousFaults(page),
      ),
    ).toEqual([])
  })

  it.each<HostileName>(['markup', 'bidi', 'long'])('shows names as text and fits on a phone: %s', async (kind) => {
    let named = 0
    const found = await over(
      { viewport: PHONE },
      (page) => nameEverything(page, kind),
      async (page) => {
        const overflow = await overflowOf(page)
        named += await page.getByText(shownOf(kind)).count()
        return [
          ...(overflow > 0 ? [`${overflow} px too wide`] : []),
          ...((await page.evaluate('globalThis.robbed')) === undefined ? [] : ['a script ran']),
          ...((await page.locator('img[src="x"]').count()) === 0 ? [] : ['markup became an element']),
          ...((await turningIn(page)) === 0 ? [] : ['a name turns what stands behind it']),
        ]
      },
    )
    expect(found).toEqual([])
    expect(named).toBeGreaterThan(SCREENS.length)
  })
})

import { type Address, createTally } from '@tallystick/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  closeWindows,
  openConsole,
  overflowOf,
  PHONE,
  seriousFaults,
  settled,
  signAndLeave,
  signInAs,
} from './browser/console-page.ts'
import { openBrowser } from './browser/open-browser.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

const NEWCOMER = '0x00000000000000000000000000000000000c0ffe'

describe('the registry in the console', () => {
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
  const client = () =>
    createTally({ baseUrl: baseUrl(), apiKey: labelled(demo.file.instances, 'issuer', 'instance').apiKey })
  const stock = (): Address => labelled(demo.file.tokens, 'NWP', 'token')
  const walletOf = (label: string): Address => {
    const known = Object.values(demo.file.instances).flatMap(({ wallets }) => wallets)
    const found = known.find((one) => one.label === label)
    if (!found) throw new Error(`the demo has no wallet ${label}`)
    return found.address
  }
  const capTable = (rest = '') => `${baseUrl()}/cap-table/${stock()}${rest}`

  async function signed(options = {}): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openConsole(browser, baseUrl(), options)
    await signInAs(opened.page, baseUrl(), 'Administrator')
    return opened
  }

  const review = (page: Page) => page.getByRole('button', { name: 'Review' }).click()
  const balanceOf = async (account: Address) =>
    (await client().stocks.getShareBalance({ params: { tokenAddress: stock(), account } })).data

  it('explains to a compliance officer why a transfer is refused, and what was needed then lets it pass', async () => {
    const { page, complaints } = await signed()
    await page.goto(`${baseUrl()}/investors/ask`)
    await page.getByLabel('From', { exact: true }).fill(walletOf('Borrower'))
    await page.getByLabel('To', { exact: true }).fill(NEWCOMER)
    await page.getByRole('combobox', { name: /^Of/ }).selectOption({ label: 'Nordlicht Windpark AG (NWP)' })
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('The receiver has no identity that the registry admits').waitFor()
    await page.getByRole('link', { name: /^Open the file of/ }).click()
    await page.getByText('Not verified').waitFor()
    await page.getByRole('button', { name: 'Verify or renew' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verify or renew' })
    await dialog.getByLabel('Country').fill('DE')
    await dialog.getByLabel('Number of the dossier').fill('2026-0117')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await signAndLeave(page)
    const { data } = await client().identity.getIdentityStatus({ params: { walletAddress: NEWCOMER } })
    expect(data.onChain).toMatchObject({ status: 'active', country: 'DEU' })
    await page.getByLabel('From', { exact: true }).fill(walletOf('Borrower'))
    await page.getByRole('combobox', { name: /^Of/ }).selectOption({ label: 'Nordlicht Windpark AG (NWP)' })
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Yes. No rule refuses it now.').waitFor()
    expect(complaints).toEqual([])
  })

  it.each([
    ['Money laundering check', 'Revoke claim', 'AML'],
    ['Accreditation', 'Revoke proof', 'ACCREDITATION'],
  ])('shows what depends on a wallet before its %s is revoked', async (slot, button, claimType) => {
    const { page, complaints } = await signed()
    const walletAddress = walletOf('Borrower')
    await page.goto(`${baseUrl()}/investors/${walletAddress}`)
    await page
      .getByRole('row', { name: new RegExp(`^${slot}`) })
      .getByRole('button', { name: button })
      .click()
    const dialog = page.getByRole('dialog', { name: `${button}: ${slot}` })
    await dialog.getByRole('link', { name: 'Loan 2' }).first().waitFor()
    await dialog.getByRole('button', { name: 'Review' }).click()
    await signAndLeave(page)
    const { data } = await client().identity.listClaims({ params: { walletAddress } })
    expect(data.claims.map(({ claimTypeLabel }) => claimTypeLabel)).not.toContain(claimType)
    expect(complaints).toEqual([])
  })

  it('lets an issuer issue shares, and shows who held them before', async () => {
    const { page, complaints } = await signed()
    const { data: before } = await client().stocks.listHolders({ params: { tokenAddress: stock() } })
    const recipient = walletOf('Trader')
    const held = await balanceOf(recipient)
    await page.goto(capTable('?tab=actions'))
    await page.getByLabel('Recipient').fill(recipient)
    await page.getByLabel('Shares', { exact: true }).fill('12.5')
    await page.getByLabel('Reason').fill('Capital increase')
    await review(page)
    await signAndLeave(page)
    expect(Number((await balanceOf(recipient)).total) - Number(held.total)).toBe(12.5)
    await page.goto(capTable(`?block=${before.block}`))
    await page.getByText(`Block ${before.block}`).first().waitFor()
    const holders = page.getByRole('region', { name: 'Holders' })
    expect(await holders.getByRole('row').count()).toBe(before.holders.length + 1)
    await page.getByRole('link', { name: 'Printable extract' }).click()
    await page.getByRole('heading', { level: 1, name: 'Extract of the register of shareholders' }).waitFor()
    for (const { address } of before.holders) await page.getByText(address).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  it('previews what a split does to loans and orders, and asks for a reason where shares are taken', async () => {
    const { page } = await signed()
    await page.goto(capTable('?tab=actions'))
    await page.getByRole('tab', { name: 'Split' }).click()
    const effect = page.getByRole('region', { name: 'What the split will do' })
    await effect.getByText('open loans keep their backing').waitFor()
    await effect.getByText('signed orders end for good').waitFor()
    await page.getByRole('tab', { name: 'Forced transfer' }).click()
    await page.getByLabel('From', { exact: true }).fill(walletOf('Borrower'))
    await page.getByLabel('To', { exact: true }).fill(walletOf('Trader'))
    await page.getByLabel('Shares', { exact: true }).fill('1')
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true)
    await page.getByLabel('Reason').fill('Order of the court')
    expect(await page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(false)
  })

  it('removes a sub-issuer', async () => {
    const { page, complaints } = await signed()
    const account = walletOf('Sub-issuer')
    await page.goto(capTable('?tab=roles'))
    const row = page.getByRole('row').filter({ hasText: `${account.toLowerCase().slice(0, 6)}…` })
    await row.getByRole('button', { name: 'Remove sub-issuer' }).click()
    await signAndLeave(page)
    const { data } = await client().stocks.checkRole({
      params: { tokenAddress: stock(), account },
      query: { role: 'SUB_ISSUER' },
    })
    expect(data).toMatchObject({ hasRole: false })
    expect(complaints).toEqual([])
  })

  it('shows the directory of tokens and the register, and logs what a key asked for', async () => {
    const { page, complaints } = await signed()
    await page.goto(`${baseUrl()}/tokens`)
    for (const framework of ['ERC-3643', 'ERC-1400', 'ERC-20']) await page.getByText(framework).first().waitFor()
    await page.goto(`${baseUrl()}/register?q=Nordwind`)
    await page
      .getByRole('link', { name: /Nordwind/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: /Nordwind/ }).waitFor()
    await client().access.getHealth({})
    await page.goto(`${baseUrl()}/admin?tab=keys`)
    await page
      .getByRole('button', { name: /^Requests: / })
      .first()
      .click()
    await page.getByText('GET /access/api/health').first().waitFor()
    expect(complaints).toEqual([])
  })

  it('finds anything with one box, from the keyboard', async () => {
    const { page } = await signed()
    const search = page.getByRole('combobox', { name: 'Search everything' })
    async function goTo(words: string, hit: RegExp, url: string) {
      await page.keyboard.press('Control+k')
      await search.fill(words)
      const options = page.getByRole('listbox').getByRole('option')
      await options.filter({ hasText: hit }).first().waitFor()
      const chosen = page.getByRole('listbox').getByRole('option', { selected: true })
      // Not for ever: what is found may change while it is gone through.
      for (let presses = 0; presses < 60 && !hit.test((await chosen.textContent()) ?? ''); presses += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(url)
    }
    await goTo('windpark ag', /^Shares/, `**/cap-table/${stock().toLowerCase()}`)
    await goTo('loan 2', /^Loan/, '**/loans/2')
    await goTo(walletOf('Borrower').toLowerCase(), /^Investor/, '**/investors/0x*')
    await goTo('nordwind', /^Entity/, '**/register/*')
    await goTo('vault', /^Page/, '**/vaults')
  })

  const PAGES = () => [
    '/investors',
    '/investors/ask',
    `/investors/${walletOf('Borrower')}`,
    '/cap-table',
    ...['', '?tab=roles', '?tab=actions', '?tab=history', '/extract'].map((rest) => `/cap-table/${stock()}${rest}`),
    '/tokens',
    `/tokens/${stock()}`,
    '/register?q=Nord',
    '/register?tab=changes',
    '/register?tab=sources',
    ...['users', 'keys', 'wallets', 'webhooks', 'relayer', 'health', 'audit'].map((tab) => `/admin?tab=${tab}`),
  ]

  it.each(['light', 'dark'] as const)('has nothing serious for axe on any of its screens, %s', async (colorScheme) => {
    const { page } = await signed({ colorScheme })
    const faults: string[] = []
    for (const path of PAGES()) {
      await settled(page, `${baseUrl()}${path}`)
      faults.push(...(await seriousFaults(page)).map((fault) => `${path} ${fault}`))
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('nord')
    await page.getByRole('option').first().waitFor()
    faults.push(...(await seriousFaults(page)))
    expect(faults).toEqual([])
  })

  it('is never wider than a phone', async () => {
    const { page } = await signed({ viewport: PHONE })
    const wide: string[] = []
    for (const path of PAGES()) {
      await settled(page, `${baseUrl()}${path}`)
      const overflow = await overflowOf(page)
      if (overflow > 0) wide.push(`${path}: ${overflow}`)
    }
    expect(wide).toEqual([])
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTally } from '@tallystick/sdk'
import { type IdentityIssuer, type Person, startIdentityIssuer } from '@tallystick/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeWindows, openConsole, overflowOf, PHONE, seriousFaults, signInAs } from './browser/console-page.ts'
import { openBrowser } from './browser/open-browser.ts'
import { labelled } from './demo/demo-file.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

const NAME = 'Nordbank <b>'
const person = (name: string): Person => ({ subject: `${name}-1`, email: `${name}@example.com`, isVerified: true })

describe('signing in at an identity provider, in a browser', () => {
  let issuer: IdentityIssuer
  let demo: RunningDemo
  let browser: Browser
  const folder = mkdtempSync(join(tmpdir(), 'tally-provider-'))
  beforeAll(async () => {
    issuer = await startIdentityIssuer()
    const secretFile = join(folder, 'secret')
    writeFileSync(secretFile, issuer.clientSecret)
    const settings = { OIDC_ISSUER: issuer.issuer, OIDC_CLIENT_ID: issuer.clientId, OIDC_NAME: NAME }
    const started = startDemo(undefined, { ...settings, OIDC_CLIENT_SECRET_FILE: secretFile })
    ;[demo, browser] = await Promise.all([started, openBrowser()])
  })
  afterEach(async () => {
    issuer.honest()
    await closeWindows(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
    await issuer?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** By name: to a browser another site than the issuer, as it is wherever the product runs. */
  const origin = () => demo.file.baseUrl.replace('127.0.0.1', 'localhost')
  const accessOf = (instance: string) =>
    createTally({ baseUrl: demo.file.baseUrl, apiKey: labelled(demo.file.instances, instance, 'instance').apiKey })
      .access
  const invite = async (name: string, instance = 'lender') =>
    (await accessOf(instance).addUser({ body: { email: `${name}@example.com`, name, role: 'operator' } })).data

  const continueWith = (page: Page) => page.getByRole('button', { name: `Continue with ${NAME}` })
  const home = (page: Page) => page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  const stored = (page: Page) => page.evaluate<string[]>('Object.keys(localStorage)')
  const flowsIn = async (page: Page) => (await stored(page)).filter((key) => key.startsWith('tallystick.flow'))

  async function open(options = {}): Promise<{ page: Page; faults: () => string[] }> {
    const { page, complaints } = await openConsole(browser, origin(), options)
    await page.goto(origin())
    return { page, faults: () => complaints.filter((one) => !one.includes(issuer.issuer)) }
  }

  /** As somebody who has an account at the provider. */
  async function go(page: Page, who: Person): Promise<void> {
    issuer.mood.person = who
    await continueWith(page).click()
  }

  it('lets in whom an administrator invited, with nothing left of the way in the address or in the browser', async () => {
    const admin = await openConsole(browser, origin())
    await signInAs(admin.page, origin(), 'Lender')
    await admin.page.goto(`${origin()}/admin`)
    await admin.page.getByRole('button', { name: 'Add a user' }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Olga')
    await dialog.getByLabel('E-mail').fill('Olga@Example.com')
    await dialog.getByRole('button', { name: 'Add a user' }).click()
    await admin.page.getByRole('row', { name: /Olga.*olga@example\.com/ }).waitFor()
    expect(admin.complaints).toEqual([])

    const { page, faults } = await open()
    await go(page, person('olga'))
    await home(page)
    expect(page.url()).toBe(`${origin()}/`)
    expect(await flowsIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Account' }).getByText('Olga').waitFor()
    // The session is that of the cookie: it is there after a reload, and for no script to read.
    await page.reload()
    await home(page)
    expect(await page.evaluate<string>('document.cookie')).toBe('')
    expect(faults()).toEqual([])
  })

  it('lets in nobody else, and says so', async () => {
    const { page } = await open()
    await go(page, person('mallory'))
    await page.getByRole('alert').waitFor()
    const said = await page.getByRole('alert').textContent()
    expect(await flowsIn(page)).toEqual([])
    await page.getByRole('button', { name: 'Begin again' }).click()
    await continueWith(page).waitFor()
    // An address that the provider did not verify is anybody's.
    await invite('trudy')
    await go(page, { ...person('trudy'), isVerified: false })
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe(said)
  })

  it.each([
    ['forges', () => Object.assign(issuer.mood, { isForged: true })],
    ['calls itself by another name', () => Object.assign(issuer.mood, { callsItself: 'http://127.0.0.1:1' })],
    ['is broken', () => Object.assign(issuer.mood, { isBroken: true })],
  ])('lets nobody in when the provider %s', async (what, mood) => {
    const name = `user-${what.replaceAll(' ', '-')}`
    await invite(name)
    const { page } = await open()
    mood()
    await go(page, person(name))
    await page.getByRole('alert').waitFor()
    await page.goto(origin())
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  it('takes a way back only in the browser that began it', async () => {
    await invite('eve')
    const hers = await open()
    let wayBack = ''
    await hers.page.route(`${issuer.issuer}/authorize*`, async (route) => {
      wayBack = (await route.fetch({ maxRedirects: 0 })).headers().location ?? ''
      await route.abort()
    })
    await go(hers.page, person('eve'))
    await expect.poll(() => wayBack).toContain('code=')
    const before = issuer.exchanged.length
    const { page } = await open()
    await page.goto(wayBack)
    await page.getByText('This sign-in was not begun in this browser, or is over.').waitFor()
    expect(page.url()).toBe(`${origin()}/sign-in/oidc`)
    await page.goto(`${origin()}/sign-in/oidc?error=access_denied&state=x`)
    await page.getByText('Your organization did not let you in, or you said no.').waitFor()
    expect(issuer.exchanged).toHaveLength(before)
    expect(await seriousFaults(page)).toEqual([])
  })

  it('asks whoever is a user of several instances which one it is', async () => {
    await invite('frida', 'lender')
    await invite('frida', 'issuer')
    const { page } = await open()
    await go(page, person('frida'))
    await page.getByText('You are a user of several instances. Choose one:').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    const { data: instance } = await accessOf('issuer').getInstance()
    await page.getByRole('button', { name: instance.name }).click()
    await home(page)
    await page.getByRole('button', { name: 'Account' }).getByText(instance.name).first().waitFor()
  })

  it('goes there in another window when this one has something to keep', async () => {
    await invite('greta')
    const { page } = await open()
    await go(page, person('greta'))
    await home(page)
    await page.goto(`${origin()}/investors/ask`)
    await page.getByLabel('From', { exact: true }).fill('0x00000000000000000000000000000000000000a1')
    const other = await page.context().newPage()
    await other.goto(origin())
    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Your session has ended').waitFor()
    const [opened] = await Promise.all([page.context().waitForEvent('page'), continueWith(page).click()])
    await home(opened)
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe(
      '0x00000000000000000000000000000000000000a1',
    )
  })

  it('has nothing serious for axe, shows the name of the provider as text, and fits on a phone', async () => {
    const { page } = await open({ viewport: PHONE })
    await continueWith(page).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.goto(`${origin()}/sign-in/oidc?error=access_denied&state=x`)
    await page.getByRole('button', { name: 'Begin again' }).waitFor()
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  })
})

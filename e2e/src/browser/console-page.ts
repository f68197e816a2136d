import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export interface ConsolePage {
  readonly page: Page
  /** All that went wrong: errors of scripts, refused by policy, answers that nobody expected, requests to other places. */
  readonly complaints: string[]
}

/** What a page may be told without a fault of its own. */
const EXPECTED = [
  // Nobody is signed in yet.
  /^401: .*\/access\/api\/session$/,
  // A call whose contract has no descriptor of its own is looked for by its function.
  /^404: .*\/\.well-known\/erc7730\//,
]

/** Far more than anything takes: a test is about what a page shows, not about when. */
const PATIENCE_MS = 180_000

export async function openConsole(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const isOfAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfAnswer) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== baseUrl && protocol !== 'data:' && protocol !== 'blob:')
      complaints.push(`left the origin: ${request.url()}`)
  })
  page.on('response', (response) => {
    const said = `${response.status()}: ${new URL(response.url()).pathname}`
    if (response.status() >= 400 && !EXPECTED.some((known) => known.test(`${response.status()}: ${response.url()}`)))
      complaints.push(said)
  })
  return { page, complaints }
}

/** One click on the button of a demo role. */
export async function signInAs(page: Page, baseUrl: string, role: string): Promise<void> {
  await page.goto(`${baseUrl}/`)
  await page
    .getByRole('button', { name: new RegExp(`^${role}`) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** Signs what the drawer shows with the development wallet, clicking twice as impatient people do. */
export async function signAndWait(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign and send' }).dblclick()
  await isProven(page)
}

/** The same, and closes the drawer. */
export async function signAndLeave(page: Page): Promise<void> {
  await signAndWait(page)
  await page.getByRole('button', { name: 'Done' }).click()
}

/** The drawer says that the service has seen the effect. */
export const isProven = (page: Page): Promise<void> =>
  page.locator('li', { hasText: 'Mined and proven' }).locator('.bg-good').waitFor()

/** Ends what a test opened: windows that nobody looks at any more go on asking the service, and take the machine from the tests after them. */
export async function closeWindows(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close()
}

/** A page whose answers have come. */
export async function settled(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // What is still to come is drawn as bars. By locator: the page lets nobody evaluate text.
  await page.locator('[role=status] .bg-raised').first().waitFor({ state: 'detached' })
}

/** A phone that is not wide. */
export const PHONE = { width: 360, height: 740 } as const

/** By how much the page is wider than its window, in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** What axe calls serious or critical, as one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    )
}

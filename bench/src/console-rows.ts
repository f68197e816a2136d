import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openBrowser, openConsole, signInAs, startDemo } from '@tallystick/e2e/browser'
import { measureTradeScreen } from './console-trade.ts'
import type { Report } from './report.ts'

const DIST = fileURLToPath(new URL('../../apps/console/dist/', import.meta.url))
const FIRST_LOAD_KB = 250
const FIRST_PAINT_MS = 1_000
const ROUTE_CHANGE_MS = 100
const ROUNDS = 7

const middle = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** What a browser fetches before anything is shown: what the page itself names, and the two fonts. */
function firstLoadKb(): number {
  const page = readFileSync(`${DIST}index.html`, 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? [])
  const fonts = readdirSync(`${DIST}assets`).filter((name) => name.endsWith('.woff2'))
  const sizes = [
    ...named.map((path) => statSync(`${DIST}${path}.gz`).size),
    ...fonts.map((name) => statSync(`${DIST}assets/${name}`).size),
  ]
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** The heading may be there before it was painted. */
const FIRST_PAINT = `new Promise((resolve) =>
  new PerformanceObserver((seen) => {
    for (const { startTime } of seen.getEntriesByName('first-contentful-paint')) resolve(startTime)
  }).observe({ type: 'paint', buffered: true }))`

/** From the click to the heading of the next page, measured in the page; what the service answers meanwhile is not waited for. */
const routeChange = (link: string, heading: string) => `new Promise((resolve) => {
  const from = performance.now()
  const link = [...document.querySelectorAll('nav a')].find((each) => each.textContent === ${JSON.stringify(link)})
  link.click()
  const look = () =>
    document.querySelector('h1')?.textContent === ${JSON.stringify(heading)} ? resolve(performance.now() - from) : requestAnimationFrame(look)
  look()
})`

const PAGES = [
  ['Markets', 'Markets'],
  ['Risk', 'Risk board'],
  ['Liquidations', 'Liquidations'],
  ['Vaults', 'Vaults'],
  ['Transactions', 'Transactions'],
] as const

/** The console on the demo, in a real browser. */
export async function measureConsole(report: Report): Promise<void> {
  const [demo, browser] = await Promise.all([startDemo(), openBrowser()])
  try {
    const { baseUrl } = demo.file
    const { page } = await openConsole(browser, baseUrl)
    await signInAs(page, baseUrl, 'Lender')
    const paints: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.reload({ waitUntil: 'load' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      paints.push(await page.evaluate<number>(FIRST_PAINT))
    }
    const changes: number[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [link, heading] of PAGES) changes.push(await page.evaluate<number>(routeChange(link, heading)))
    const [paint, change, size] = [middle(paints), middle(changes), firstLoadKb()]
    report.row(
      'console: first contentful paint, ms',
      paint,
      `< ${FIRST_PAINT_MS}`,
      paint < FIRST_PAINT_MS,
      `${ROUNDS} reloads`,
    )
    report.row(
      'console: change of page, ms',
      change,
      `< ${ROUTE_CHANGE_MS}`,
      change < ROUTE_CHANGE_MS,
      `${changes.length} changes`,
    )
    report.row(
      'console: first load, kB gzip',
      size,
      `<= ${FIRST_LOAD_KB}`,
      size <= FIRST_LOAD_KB,
      'script, style, mark, fonts',
    )
    const issuer = demo.file.instances.issuer
    const book = demo.file.orderBooks.offchain
    if (!issuer || !book) throw new Error('the demo has no book of the ledger')
    // In a browser of its own: the other one is signed in as somebody else.
    await page.context().close()
    const { page: tradePage } = await openConsole(browser, baseUrl)
    await signInAs(tradePage, baseUrl, 'Administrator')
    await measureTradeScreen(tradePage, { baseUrl, apiKey: issuer.apiKey, orderBookId: book.orderBookId }, report)
  } finally {
    await browser.close()
    await demo.stop()
  }
}

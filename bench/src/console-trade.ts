import type { openConsole } from '@tallystick/e2e/browser'
import type { Report } from './report.ts'

type Page = Awaited<ReturnType<typeof openConsole>>['page']

const UPDATES_PER_SECOND = 50
/** So long by default; `CONSOLE_MINUTES` for as long as somebody has patience. */
const SECONDS = Number(process.env.CONSOLE_MINUTES ?? 0.25) * 60
const EMPTY_SECONDS = 5
const LATE_MS = 50
const MOST_LATE_SHARE = 0.02
const MOST_GROWTH_MB = 20
const ONE = 1_000_000

/** Counts frames that came more than two too late, until somebody asks. */
const COUNT_FRAMES = `(() => {
  const seen = { frames: 0, late: 0 }
  globalThis.framesSeen = seen
  let last = performance.now()
  const look = (now) => {
    seen.frames += 1
    if (now - last > ${LATE_MS}) seen.late += 1
    last = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** CPU time that the main thread of a page takes while something is done, in milliseconds. */
async function threadMs(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const soFar = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000
  }
  const before = await soFar()
  await work()
  const taken = (await soFar()) - before
  await session.detach()
  return taken
}

interface Frames {
  readonly frames: number
  readonly late: number
}

const framesOf = (page: Page) => page.evaluate<Frames>('globalThis.framesSeen')
const shareOf = ({ frames, late }: Frames) => late / Math.max(frames, 1)

/** What this machine drops of a page that does nothing, while the same is traded: no screen can be better. */
async function emptyShare(page: Page, demo: TradedDemo): Promise<number> {
  const empty = await page.context().newPage()
  await empty.goto('about:blank')
  await empty.evaluate(COUNT_FRAMES)
  await trade(demo, EMPTY_SECONDS)
  const share = shareOf(await framesOf(empty))
  await empty.close()
  return share
}

interface TradedDemo {
  readonly baseUrl: string
  readonly apiKey: string
  readonly orderBookId: string
}

/** Two commits of one order each, twenty-five times a second: every one is an update of its own. */
async function trade({ baseUrl, apiKey, orderBookId }: TradedDemo, seconds: number): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
  const url = `${baseUrl}/orderbooks/stocks/api/offchain/orders`
  const startedAt = performance.now()
  let sent = 0
  const waiting: Promise<unknown>[] = []
  while (performance.now() - startedAt < seconds * 1000) {
    const due = ((performance.now() - startedAt) / 1000) * UPDATES_PER_SECOND
    for (; sent < due; sent += 1) {
      const price = String((40 + (sent % 7) / 100) * ONE)
      const side = sent % 2 === 0 ? 'SELL' : 'BUY'
      const customerRef = side === 'SELL' ? 'borrower' : 'trader'
      const order = { orderBookId, customerRef, side, orderType: 'LIMIT', price, quantity: String(ONE / 100) }
      const answer = fetch(url, { method: 'POST', headers, body: JSON.stringify(order) })
      waiting.push(answer.then(({ ok, status }) => ok || Promise.reject(new Error(`an order was refused: ${status}`))))
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(waiting)
  return sent / ((performance.now() - startedAt) / 1000)
}

/** The screen of a book while it is traded on fast. */
export async function measureTradeScreen(page: Page, demo: TradedDemo, report: Report): Promise<void> {
  const empty = await emptyShare(page, demo)
  await page.goto(`${demo.baseUrl}/trade/offchain/${demo.orderBookId}`)
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await trade(demo, 3)
  const before = await heapMb(page)
  await page.evaluate(COUNT_FRAMES)
  let rate = Number.NaN
  const taken = await threadMs(page, async () => {
    rate = await trade(demo, SECONDS)
  })
  const seen = await framesOf(page)
  const growth = (await heapMb(page)) - before
  const share = shareOf(seen)
  const raw =
    `${rate.toFixed(0)} updates/s for ${SECONDS} s, ${seen.late} of ${seen.frames} frames over ${LATE_MS} ms, ` +
    `${(taken / SECONDS).toFixed(0)} ms of CPU per second; an empty page ${empty.toFixed(2)}`
  report.row('console: frames dropped while trading', share, `<= ${MOST_LATE_SHARE}`, share <= MOST_LATE_SHARE, raw)
  report.row('console: memory grown while trading, MB', growth, `<= ${MOST_GROWTH_MB}`, growth <= MOST_GROWTH_MB, raw)
}

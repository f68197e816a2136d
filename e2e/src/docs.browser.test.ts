import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

const CHROMIUM = '/usr/bin/chromium'
/** No sandbox within a container, and nothing that the browser asks of the network by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

describe('the documentation in a browser', { timeout: 120_000 }, () => {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([
      startDemo(),
      chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS }),
    ])
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
  })

  /** A new window, with all that went wrong in it. */
  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== demo.file.baseUrl) complaints.push(`left the service: ${request.url()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`)
    })
    return { page, complaints }
  }

  it('shows the first page and follows a link from it', async () => {
    const { page, complaints } = await open()
    await page.goto(`${demo.file.baseUrl}/docs`)
    expect(await page.title()).toContain('Tallystick')
    await page.getByRole('link', { name: 'Concepts' }).first().click()
    await page.waitForURL('**/docs/concepts')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Concepts')
    expect(complaints).toEqual([])
  })

  it('has no page that complains, leads nowhere or is wider than a phone', async () => {
    const { page, complaints } = await open()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${demo.file.baseUrl}/docs`)
    const paths = await page.evaluate<string[]>('[...new Set([...document.links].map((link) => link.pathname))]')
    const pages = paths.filter((path) => path.startsWith('/docs'))
    expect(pages.length).toBeGreaterThan(20)
    for (const path of pages) {
      await page.goto(`${demo.file.baseUrl}${path}`)
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (overflow > 0) complaints.push(`${path} is ${overflow} pixels wider than a phone`)
    }
    expect(complaints).toEqual([])
  })
})

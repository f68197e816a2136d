import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser/open-browser.ts'
import { type RunningDemo, startDemo } from './demo/start-demo.ts'

describe('the documentation in a browser', () => {
  let demo: RunningDemo
  let browser: Browser
  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), openBrowser()])
  })
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

  it('finds what somebody looks for, from the keyboard', async () => {
    const { page, complaints } = await open()
    await page.goto(`${demo.file.baseUrl}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('MARKET_PENDING_CURATOR')
    await page.getByRole('link', { name: 'Error reference' }).first().waitFor()
    await page.getByRole('searchbox').fill('open a loan')
    await page.locator('#results li:first-child a', { hasText: 'Open a loan' }).click()
    await page.waitForURL('**/docs/reference/lending#openLoan')
    expect(complaints).toEqual([])
  })

  it('folds the menu on a phone, and shows it when it is asked for', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${demo.file.baseUrl}/docs/guides/borrower`)
    const menu = page.getByRole('navigation')
    expect(await menu.isVisible()).toBe(false)
    expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.y).toBeLessThan(200)
    await page.getByText('Menu', { exact: true }).click()
    expect(await menu.isVisible()).toBe(true)
  })

  it('gives every column of a table room for its words', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.goto(`${demo.file.baseUrl}/docs/errors`)
    const widths = await page.evaluate<number[]>(
      '[...document.querySelectorAll("main th")].map((cell) => cell.getBoundingClientRect().width)',
    )
    expect(Math.min(...widths)).toBeGreaterThan(80)
  })

  it('shows the rows of a wide table as lists on a phone, each cell with its name and within the page', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${demo.file.baseUrl}/docs/errors`)
    const [code, ...cells] = await page.locator('main tr:has-text("ACCOUNT_NOT_FOUND") td').all()
    const boxes = await Promise.all([code, ...cells].map(async (cell) => await cell?.boundingBox()))
    const tops = boxes.map((box) => box?.y ?? 0)
    expect(tops).toEqual(tops.toSorted((a, b) => a - b))
    expect(new Set(tops).size).toBe(4)
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    const labels = await Promise.all(cells.map((cell) => cell.getAttribute('data-label')))
    expect(labels).toEqual(['HTTP', 'Meaning', 'Answered by'])
  })

  it('copies a block, and keeps the choice of light or dark', async () => {
    const { page } = await open()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${demo.file.baseUrl}/docs/guides/borrower`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain("from '@tallystick/sdk'")
    const theme = () => page.evaluate<string>('document.documentElement.dataset.theme')
    const before = await theme()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    await page.goto(`${demo.file.baseUrl}/docs`)
    expect(await theme()).not.toBe(before)
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

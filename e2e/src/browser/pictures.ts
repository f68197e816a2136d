import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const SHOWN = `${FOLDER}shown.json`
/** Of all pictures; the documentation relies on it. */
export const PICTURE_SIZE = { width: 1280, height: 800 } as const
const QUALITY = 78

/** Names of everything that a screen is made of, without what differs from demo to demo. */
const NAMES = `[...new Set([...document.querySelectorAll('h1, h2, th, label, [role=tab], button[type=submit]')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.textContent.replace(/0x\\w+…?\\w*|\\d[\\d.,]*/g, '#').trim())
  .filter((name) => name !== '' && !name.includes('#')))].toSorted()`

const isWriting = process.env.WRITE_PICTURES !== undefined

type Shown = Record<string, readonly string[]>
const readShown = (): Shown => (existsSync(SHOWN) ? (JSON.parse(readFileSync(SHOWN, 'utf8')) as Shown) : {})

/**
 * A picture for the documentation. Answers what the screen is made of and what it was made of when the picture was taken: where both differ, the
 * picture is stale. `npm run pictures` takes them anew.
 */
export async function picture(page: Page, name: string): Promise<{ now: readonly string[]; taken: readonly string[] }> {
  const now = await page.evaluate<string[]>(NAMES)
  const file = `${FOLDER}${name}.webp`
  if (isWriting) {
    const session = await page.context().newCDPSession(page)
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
    await session.detach()
    writeFileSync(file, Buffer.from(data, 'base64'))
    const all = { ...readShown(), [name]: now }
    const sorted = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(SHOWN, `${JSON.stringify(sorted, null, 2)}\n`)
  }
  if (!existsSync(file)) throw new Error(`docs/pictures has no ${name}.webp: run npm run pictures`)
  return { now, taken: readShown()[name] ?? [] }
}

import type { Page } from 'playwright-core'

/** Names as somebody chooses them who wants to deceive, or to break a page. */
const NAMES = {
  markup: `<img src=x onerror="globalThis.robbed=1">"'&`,
  // Whatever follows it on the same line would be read from right to left.
  bidi: 'Nord\u202Ekniw\u2066',
  long: 'W'.repeat(128),
} as const
export type HostileName = keyof typeof NAMES

/** How a page shows the beginning of it. */
export const shownOf = (kind: HostileName): string =>
  kind === 'bidi' ? 'Nord\uFFFDkniw\uFFFD' : NAMES[kind].slice(0, 12)

/** Fields with which people call things. The others that end so are words of the service. */
const NAMED = /^(name|symbol|label|email|title|\w+(Name|Symbol))$/
const WORDS = /^(functionName|fieldName|modeName|roleName)$/
/** The service takes and answers no longer ones. */
const SYMBOL = { is: /symbol$/i, most: 16 } as const

function renamed(value: unknown, to: string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const isName = typeof one === 'string' && NAMED.test(key) && !WORDS.test(key)
      return [key, isName ? to.slice(0, SYMBOL.is.test(key) ? SYMBOL.most : undefined) : renamed(one, to)]
    }),
  )
}

/**
 * From now on everything is called so. No deployment has such names all at once, nor could a test give them to everything; what is tried is what the
 * page does with them, and all else in the answers is true.
 */
export async function nameEverything(page: Page, kind: HostileName): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('application/json')) return route.fulfill({ response })
    return route.fulfill({ response, json: renamed(await response.json(), NAMES[kind]) })
  })
}

/** Characters that turn the direction of what stands behind them, wherever in the page. A field holds what is sent, and ends at its border. */
export const turningIn = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const copy = document.documentElement.cloneNode(true)
    for (const field of copy.querySelectorAll('[value]')) field.removeAttribute('value')
    return (copy.outerHTML.match(/[\\u202a-\\u202e\\u2066-\\u2069]/g) ?? []).length
  })()`)

import type { Operation } from '@tallystick/wire'

/** A part of a page that a search can lead to. */
export interface SearchEntry {
  readonly path: string
  readonly title: string
  /** Empty: the beginning of the page. */
  readonly heading: string
  readonly text: string
}

/** Where a part with a link of its own begins. */
const PART = /(?=<h[23] id=")/
const ID = /^<h[23] id="([^"]+)"/
const HEADING = /<h[23][^>]*>([\s\S]*?)<\/h[23]>/

const plain = (html: string): string =>
  html
    .replace(/<svg[\s\S]*?<\/svg>/g, ' ')
    .replace(/<\/?(?:a|b|i|em|strong|code|span)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** What can be found on a page: its parts, each with the words in it. */
export function searchEntries(path: string, title: string, html: string): SearchEntry[] {
  return html.split(PART).map((part) => {
    const id = ID.exec(part)?.[1]
    const heading = id === undefined ? '' : plain(HEADING.exec(part)?.[1] ?? '')
    const text = plain(id === undefined ? part.replace(/<h1[\s\S]*?<\/h1>/, '') : part.replace(HEADING, ''))
    return { path: id === undefined ? path : `${path}#${id}`, title, heading, text }
  })
}

/** Of an operation its fields and codes are left out: they would be most of the index, and every search would end there. */
export function operationEntry(path: string, title: string, operation: Operation): SearchEntry {
  const { id, summary, method, description = '' } = operation
  const text = `${method} ${operation.path} ${id} ${description}`.replaceAll('`', '').trim()
  return { path: `${path}#${id}`, title, heading: summary.replaceAll('`', ''), text }
}

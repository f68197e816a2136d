import { looksLikeAddress, readDay, readText } from './cells.rules.ts'
import type { Layout } from './layouts.rules.ts'

/** The cells of one record by the names of their columns. */
export interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  /** An address without quotes had come apart at its comma, and was put together again. */
  readonly shifted: boolean
}

const dayColumns = [
  'ac_authorisationNotificationDate',
  'ac_authorisationEndDate',
  'wp_authorisationNotificationDate',
  'ae_decision_date',
  'ac_lastupdate',
  'wp_lastupdate',
  'ae_lastupdate',
]

type Cells = Record<string, string>

const byName = (header: readonly string[], cells: readonly string[]): Cells =>
  Object.fromEntries(header.flatMap((name, place) => (name === '' ? [] : [[name, cells[place] ?? '']])))

const daysFit = (cells: Cells): boolean =>
  dayColumns.every((column) => cells[column] === undefined || readDay(cells[column]) !== undefined)

const hasDay = (cells: Cells): boolean => dayColumns.some((column) => typeof readDay(cells[column] ?? '') === 'string')

/** The cells with the address put together from as many parts as it fell into. */
function rejoined(header: readonly string[], cells: readonly string[], extra: number): Cells | null {
  const place = header.indexOf('ae_address')
  if (place === -1) return null
  const address = cells
    .slice(place, place + extra + 1)
    .map((part) => part.trim())
    .join(', ')
  const whole = byName(header, [...cells.slice(0, place), address, ...cells.slice(place + extra + 1)])
  return daysFit(whole) && hasDay(whole) ? whole : null
}

/** Where only the website was displaced: it holds the rest of the address, and the next cell holds the website. */
function withWebsiteBack(cells: Cells): Cells | null {
  const [website, platform] = [readText(cells.ae_website ?? ''), readText(cells.ae_website_platform ?? '')]
  if (website === null || platform === null || looksLikeAddress(website) || !looksLikeAddress(platform)) return null
  if (!/^([A-Z]{1,2}-)?\d{4,5}\b/.test(website)) return null
  return {
    ...cells,
    ae_address: `${cells.ae_address?.trim() ?? ''}, ${website}`,
    ae_website: platform,
    ae_website_platform: '',
  }
}

/** Cells under the columns of the header, or null when the record has too few or too many and nothing explains it. */
export function alignRow(
  layout: Layout,
  header: readonly string[],
  line: number,
  cells: readonly string[],
): Row | null {
  const lastNamed = header.reduce((last, name, place) => (name === '' ? last : place), 0)
  const surplus = cells.slice(header.length)
  const needed = layout.columns.length
  if (cells.length < Math.max(lastNamed + 1, needed)) return null
  const plain = byName(header, cells)
  // A cell too many either makes the record longer or fills a nameless column; blank ones mean nothing.
  const beyond = cells.slice(lastNamed + 1).findLastIndex((cell) => readText(cell) !== null) + 1
  if (beyond > 0 && !daysFit(plain)) {
    const whole = rejoined(header, cells, beyond)
    if (whole) return { line, cells: whole, shifted: true }
  }
  if (surplus.some((cell) => readText(cell) !== null)) {
    const whole = rejoined(header, cells, surplus.length)
    return whole ? { line, cells: whole, shifted: true } : null
  }
  const repaired = withWebsiteBack(plain)
  return repaired ? { line, cells: repaired, shifted: true } : { line, cells: plain, shifted: false }
}

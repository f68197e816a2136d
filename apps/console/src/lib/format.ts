import { type Decimal, parseDecimal, writeDecimal } from './decimal.ts'

/** What stands on screen, and the exact figure behind it. */
export interface Shown {
  readonly short: string
  readonly exact: string
}

const ABSENT: Shown = { short: '–', exact: '' }

/** So many digits are read at a glance; small figures keep those that say something. */
function digitsFor({ units, scale }: Decimal): number {
  const size = units < 0n ? -units : units
  if (size >= 10n ** BigInt(scale)) return 2
  const leading = scale - size.toString().length
  return Math.min(scale, leading + 4)
}

export function showAmount(text: string | null | undefined, digits?: number): Shown {
  const value = text === null || text === undefined ? undefined : parseDecimal(text)
  if (value === undefined) return text ? { short: text, exact: text } : ABSENT
  const exact = writeDecimal(value)
  if (value.units === 0n) return { short: '0.00', exact }
  return { short: writeDecimal(value, { digits: digits ?? digitsFor(value), least: 2 }), exact }
}

/** Basis points as percent: 312 is 3.12 %. */
export function showBps(bps: string | number | null | undefined): Shown {
  if (bps === null || bps === undefined) return ABSENT
  const value = parseDecimal(String(bps))
  if (value === undefined) return ABSENT
  const percent = { units: value.units, scale: value.scale + 2 }
  return { short: `${writeDecimal(percent, { digits: 2, least: 2 })} %`, exact: `${writeDecimal(percent)} %` }
}

export function showInteger(text: string | number | null | undefined): string {
  const value = text === null || text === undefined ? undefined : parseDecimal(String(text))
  return value === undefined ? '–' : writeDecimal(value)
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How far away: "in 3 hours", "2 days ago". */
export function showDistance(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return relative.format(Math.trunc(seconds), 'second')
}

const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
/** Of the reader, at that moment: "GMT+1". */
const zoneAt = (at: Date) => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
export const showDateTime = (at: Date) => dateTime.format(at)
export const showZoned = (at: Date) => `${dateTime.format(at)} ${zoneAt(at)}`
export const showDay = (at: Date) => day.format(at)
export const showUtc = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Seconds of the chain, text of the service, or nothing. */
export function dateOf(value: string | number | null | undefined): Date | undefined {
  if (value === null || value === undefined || value === '' || value === 0 || value === '0') return undefined
  if (typeof value === 'number') return new Date(value * 1000)
  return /^\d+$/.test(value) ? new Date(Number(value) * 1000) : new Date(value)
}

export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

const DURATIONS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** A length of time: "90 days", "6 hours". */
export function showDuration(seconds: string | number | null | undefined): string {
  const length = Number(seconds ?? Number.NaN)
  if (!Number.isFinite(length) || length === 0) return 'none'
  for (const [unit, size] of DURATIONS)
    if (length >= size * (unit === 'second' ? 1 : 2) || length === size) {
      const count = Math.round(length / size)
      return `${count} ${unit}${count === 1 ? '' : 's'}`
    }
  return `${length} seconds`
}

/** A name of the interface as words: DEFAULT_ADMIN_ROLE is "Default admin role", identityRegistry "Identity registry". */
export function showWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Without the characters that turn the direction of whatever is written after them: with one in a name, the figures beside it would be read backwards.
 * They are shown as unreadable, so that two names which differ look different.
 */
export const withoutTurning = (text: string): string => text.replace(TURNING, '\uFFFD')

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
] as const
const SYSTEMS = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['Linux', /Linux/],
] as const

/** What somebody signed in with, from what the browser says of itself: "Firefox, Linux". */
export function browserOf(userAgent: string | null): string {
  const named = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0] ?? [])
  return named.length === 0 ? (userAgent ?? '–') : named.join(', ')
}

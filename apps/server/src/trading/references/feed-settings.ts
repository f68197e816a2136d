import { AppError } from '../../platform/app-error.ts'
import { type FeedSettings, parsedJson } from '../books/index.rules.ts'

export const refuseConfig = (detail: string): AppError => new AppError('INVALID_CONFIG', { detail })

/** They say who asks, or how the connection works, and are never a caller's to set. */
const DROPPED = new Set([
  'host',
  'cookie',
  'authorization',
  'proxy-authorization',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

/** The headers that a feed is asked with. */
export function headersFrom(text: string | null): Record<string, string> {
  if (text === null || text.trim() === '') return {}
  const refused = refuseConfig('priceRefFeedHeaders must be a JSON object of header names and text values.')
  const given = parsedJson(text)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refused
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!HEADER_NAME.test(name) || typeof value !== 'string' || !HEADER_VALUE.test(value)) throw refused
    if (!DROPPED.has(name.toLowerCase())) headers[name] = value
  }
  return headers
}

const SYMBOL = /^[A-Za-z0-9.:^=_-]{1,32}$/
const PATH = /^[^.\s]+(\.[^.\s]+)*$/

/** Faults that need no look at the network. */
export function checkFeedForm(feed: FeedSettings, isStockFeedConfigured: boolean): void {
  const { priceRefMode: mode, priceRefFeedUrl: url, priceRefFeedPath: path } = feed
  headersFrom(feed.priceRefFeedHeaders)
  if (mode === 'MANUAL') return
  if (mode === 'STOCK_FEED') {
    if (!isStockFeedConfigured) throw refuseConfig('This deployment has no stock feed.')
    if (path === null || !SYMBOL.test(path)) throw refuseConfig('STOCK_FEED needs a symbol in priceRefFeedPath.')
    return
  }
  if (url === null || url === '') throw refuseConfig('EXTERNAL_FEED needs priceRefFeedUrl.')
  if (!url.toLowerCase().startsWith('https://')) throw refuseConfig('priceRefFeedUrl must begin with https.')
  if (path === null || !PATH.test(path))
    throw refuseConfig('EXTERNAL_FEED needs priceRefFeedPath, like `data.0.price`.')
}

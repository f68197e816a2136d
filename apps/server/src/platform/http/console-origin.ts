import { LOOPBACK_HOST } from '../loopback.ts'
import type { Incoming } from './incoming.ts'

/** Where the pages of the console come from: an origin such as `https://console.example.com`. Undefined: this machine only. */
export type SessionOrigin = string | undefined

const LOOPBACK = new RegExp(String.raw`^${LOOPBACK_HOST}(:\d{1,5})?$`, 'i')

/**
 * The origin that a request has to come from; undefined: sessions cannot be used by this way. What a client calls the host is believed
 * of this machine only: elsewhere somebody could have a wallet sign in to a name of their own and use it here.
 */
export function originFor({ headers, protocol }: Incoming, configured: SessionOrigin): URL | undefined {
  const host = headers.host ?? ''
  if (configured !== undefined) return new URL(configured)
  return LOOPBACK.test(host) ? new URL(`${protocol}://${host}`) : undefined
}

/**
 * Browsers say which page made a request, and pages cannot change that. What does not say it is no browser, and nobody was lured into
 * sending it. An address typed in by hand is no page's request.
 */
export function isOfConsole(request: Incoming, configured: SessionOrigin, isWrite: boolean): boolean {
  const own = originFor(request, configured)
  if (!own) return false
  const { origin, 'sec-fetch-site': site } = request.headers
  if (typeof origin === 'string' && origin !== own.origin) return false
  return site === undefined || site === 'same-origin' || (site === 'none' && !isWrite)
}

/** Over https a name that only this host, and only over https, can set. */
const cookieName = (own: URL | undefined) => (own?.protocol === 'https:' ? '__Host-tally_session' : 'tally_session')

/** The session that a request comes with. */
export function sessionOf(request: Incoming, configured: SessionOrigin): string | undefined {
  const { cookie } = request.headers
  if (cookie === undefined) return undefined
  const name = `${cookieName(originFor(request, configured))}=`
  const found = cookie.split(';').find((one) => one.trim().startsWith(name))
  return found?.trim().slice(name.length)
}

/** Sets the session of a browser; null: takes it away. Without an end of its own it goes with the browser, and the server ends it anyway. */
export function sessionCookie(request: Incoming, configured: SessionOrigin, value: string | null): string {
  const own = originFor(request, configured)
  const secure = own?.protocol === 'https:' ? '; Secure' : ''
  const end = value === null ? '; Max-Age=0' : ''
  return `${cookieName(own)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${end}`
}

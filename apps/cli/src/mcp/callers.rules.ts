import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface Door {
  readonly port: number
  /** Names besides those by which a machine calls itself, as a `Host` header says them. */
  readonly allowedHosts: readonly string[]
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/**
 * Whether a request was made for this door. A page of somewhere else can have its own name resolved to this machine, and its browser then
 * lets it read the answers; but it says that name in `Host`, and where it is from in `Origin`.
 */
export function isMeant({ host = '', origin }: IncomingHttpHeaders, { port, allowedHosts }: Door): boolean {
  const names = [...OWN_NAMES.map((name) => `${name}:${port}`), ...allowedHosts.map((name) => name.toLowerCase())]
  if (!names.includes(host.toLowerCase())) return false
  return origin === undefined || names.some((name) => [`http://${name}`, `https://${name}`].includes(origin))
}

/** `Authorization: Bearer <key>`. */
export const keyOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

const digest = (key: string) => createHash('sha256').update(key).digest()

/** A session belongs to the key that opened it: its id alone opens nothing. */
export const isSameKey = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

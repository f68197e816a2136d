import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Every address of a name. */
export type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>

/** A URL that may be asked or sent to, and the addresses that were checked: the connection goes to one of these and nowhere else. */
export interface OutgoingTarget {
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
}

/** Why a URL is not spoken to, in a sentence for its owner. */
export class RefusedTargetError extends Error {
  override readonly name = 'RefusedTargetError'
}

interface AllowedHost {
  readonly host: string
  /** Undefined: any. */
  readonly port: string | undefined
}

const LONGEST_LOOKUP_MS = 5_000

const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }))

/** `host[:port]`, separated by commas; an IPv6 address in brackets. */
export function parseAllowedHosts(text: string): AllowedHost[] {
  return text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const { host = entry, port } = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/.exec(entry)?.groups ?? {}
      return { host, port }
    })
}

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

function parsed(text: string): URL {
  if (!URL.canParse(text)) throw new RefusedTargetError('This is not a URL.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RefusedTargetError('The URL must begin with https.')
  if (url.username !== '' || url.password !== '')
    throw new RefusedTargetError('The URL must not carry a user name or password.')
  if (url.hash !== '') throw new RefusedTargetError('The URL must not have a fragment: it is never sent.')
  return url
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the look-up took too long')), LONGEST_LOOKUP_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/**
 * Decides where this service may connect to on a caller's word. It stands inside its operator's network: without this check, anybody
 * with a key could make it speak to machines there.
 */
export function createOutgoingTargets({
  allowedHosts = '',
  resolve = systemResolver,
}: {
  readonly allowedHosts?: string
  readonly resolve?: Resolver
} = {}) {
  const allowed = parseAllowedHosts(allowedHosts)

  const isAllowed = (url: URL) =>
    allowed.some(
      ({ host, port }) =>
        host === url.hostname && (port === undefined || port === (url.port || defaultPorts[url.protocol])),
    )

  async function addressesOf(url: URL): Promise<readonly ResolvedAddress[]> {
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const family = isIP(literal)
    if (family !== 0) return [{ address: literal, family: family === 6 ? 6 : 4 }]
    const found = await inTime(resolve(url.hostname)).catch(() => [])
    if (found.length === 0) throw new RefusedTargetError(`The name ${url.hostname} does not resolve.`)
    return found
  }

  return {
    /** Throws `RefusedTargetError`. Asked at creation, and again before every single attempt: names change. */
    async check(text: string): Promise<OutgoingTarget> {
      const url = parsed(text)
      if (isAllowed(url)) return { url, addresses: await addressesOf(url) }
      if (url.protocol !== 'https:') throw new RefusedTargetError('The URL must begin with https.')
      const addresses = await addressesOf(url)
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        throw new RefusedTargetError(`${url.hostname} leads to an address that is not public.`)
      return { url, addresses }
    },
  }
}

export type OutgoingTargets = ReturnType<typeof createOutgoingTargets>

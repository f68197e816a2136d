import { isIP } from 'node:net'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Settings, settings } from './config-settings.ts'
import { LOOPBACK_HOST } from './loopback.ts'

/** A configuration that cannot work, told in one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface ChainEndpoints {
  /** Undefined: one chain was configured without naming it, and the node tells. */
  readonly chainId: number | undefined
  readonly urls: readonly string[]
}

export interface Config
  extends Omit<
    Settings,
    | 'DATABASE_URL'
    | 'DATABASE_DIRECT_URL'
    | 'READ_DATABASE_URL'
    | 'RPC_URL'
    | 'REGISTER_URLS'
    | 'CORS_ORIGINS'
    | 'ORDER_SERVERS'
  > {
  readonly ORDER_SERVERS: readonly string[]
  readonly CORS_ORIGINS: readonly string[]
  readonly REGISTER_URLS: readonly string[]
  /** Undefined: everything is embedded. */
  readonly external:
    | {
        readonly databaseUrl: string
        /** Set: `databaseUrl` is a pooler in transaction mode. */
        readonly directUrl?: string
        /** Leads to standbys. */
        readonly readUrl?: string
        readonly chains: readonly ChainEndpoints[]
      }
    | undefined
}

function convert(name: string, schema: TSchema, text: string): unknown {
  if (!('type' in schema) || schema.type !== 'integer') return text
  if (!/^-?\d+$/.test(text.trim())) throw new ConfigError(`${name} must be a whole number, but is "${text}".`)
  return Number(text)
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

function httpUrl(name: string, text: string): URL {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name}: "${text}" is not an http(s) URL.`)
  return new URL(text)
}

function parseChains(text: string): ChainEndpoints[] {
  const groups = text.trim().split(/\s+/)
  const chains = groups.map((group) => {
    const named = /^(\d+)=(.+)$/.exec(group)
    const urls = listOf(named?.[2] ?? group)
    if (urls.length === 0) throw new ConfigError(`RPC_URL: "${group}" holds no URL.`)
    for (const url of urls) httpUrl('RPC_URL', url)
    return { chainId: named ? Number(named[1]) : undefined, urls }
  })
  if (chains.length > 1 && chains.some((chain) => chain.chainId === undefined))
    throw new ConfigError('RPC_URL names several chains: write each as <chainId>=<url>,<url>.')
  const twice = chains.find((chain, index) => chains.findIndex(({ chainId }) => chainId === chain.chainId) < index)
  if (twice)
    throw new ConfigError(`RPC_URL names chain ${twice.chainId} twice: put its URLs together, separated by commas.`)
  return chains
}

function parseRegisterUrls(text: string): string[] {
  const urls = listOf(text)
  for (const url of urls) httpUrl('REGISTER_URLS', url)
  return [...new Set(urls)]
}

function parseProxies(text: string): string {
  for (const proxy of listOf(text)) {
    const [, address = '', bits = '0'] = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(proxy) ?? []
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (Number(bits) > most)
      throw new ConfigError(`TRUSTED_PROXIES: "${proxy}" is neither an address nor a network such as 10.0.0.0/8.`)
  }
  return text
}

function parseOrigins(text: string): string[] {
  const origins = listOf(text)
  for (const origin of origins)
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      throw new ConfigError(`CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.com.`)
  return origins
}

function parseConsoleOrigin(text: string): string {
  if (!/^https?:/.test(text) || !URL.canParse(text) || new URL(text).origin !== text)
    throw new ConfigError(`CONSOLE_ORIGIN: "${text}" is not an origin such as https://console.example.com.`)
  return text
}

const ON_THIS_MACHINE = new RegExp(String.raw`^http://${LOOPBACK_HOST}(:\d{1,5})?(/|$)`)

function parseOrderServers({ ORDER_SERVERS, PEER_SECRET }: Settings): string[] {
  // A server finds itself among them by its origin, however that is written.
  const servers = listOf(ORDER_SERVERS).map((url) => httpUrl('ORDER_SERVERS', url).origin)
  if (servers.length > 0 && PEER_SECRET === undefined)
    throw new ConfigError('ORDER_SERVERS and PEER_SECRET come together, but PEER_SECRET is not set.')
  return servers
}

/** Whatever is said over http can be changed on its way. */
function checkIssuer({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET_FILE: secretFile,
}: Settings): void {
  if (issuer === undefined && clientId === undefined && secretFile === undefined) return
  if (issuer === undefined || clientId === undefined)
    throw new ConfigError(
      `OIDC_ISSUER and OIDC_CLIENT_ID come together, but ${issuer === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID'} is not set.`,
    )
  if (!URL.canParse(issuer) || !(issuer.startsWith('https://') || ON_THIS_MACHINE.test(issuer)))
    throw new ConfigError(`OIDC_ISSUER: "${issuer}" is not an https address such as https://login.example.com.`)
}

function parseDatabaseUrl(text: string, name: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} must look like postgres://user:password@host:5432/database.`)
  return text
}

/** Reads the whole configuration once. Only the mains call it with the real environment. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(settings)) {
    const text = env[name]
    given[name] =
      text === undefined || text === '' ? (schema as { default?: unknown }).default : convert(name, schema, text)
    if (given[name] === undefined) delete given[name]
  }
  const [fault] = Value.Errors(Settings, given)
  if (fault) {
    const name = fault.instancePath.slice(1)
    throw new ConfigError(
      `${name} is not acceptable: ${fault.message}. ${(settings as Record<string, { description?: string }>)[name]?.description ?? ''}`,
    )
  }
  const { DATABASE_URL, DATABASE_DIRECT_URL, READ_DATABASE_URL, RPC_URL, REGISTER_URLS, ...rest } = given as Settings
  if ((DATABASE_URL === undefined) !== (RPC_URL === undefined)) {
    const missing = DATABASE_URL === undefined ? 'DATABASE_URL' : 'RPC_URL'
    throw new ConfigError(
      `DATABASE_URL and RPC_URL come together, but ${missing} is not set. Set both, or none to embed both.`,
    )
  }
  const beside = Object.entries({ DATABASE_DIRECT_URL, READ_DATABASE_URL }).find(([, text]) => text !== undefined)
  if (beside && DATABASE_URL === undefined)
    throw new ConfigError(`${beside[0]} is of use only beside DATABASE_URL, which is not set.`)
  checkIssuer(given as Settings)
  const direct =
    DATABASE_DIRECT_URL === undefined ? {} : { directUrl: parseDatabaseUrl(DATABASE_DIRECT_URL, 'DATABASE_DIRECT_URL') }
  const standbys =
    READ_DATABASE_URL === undefined ? {} : { readUrl: parseDatabaseUrl(READ_DATABASE_URL, 'READ_DATABASE_URL') }
  const external =
    DATABASE_URL === undefined || RPC_URL === undefined
      ? undefined
      : {
          databaseUrl: parseDatabaseUrl(DATABASE_URL, 'DATABASE_URL'),
          ...direct,
          ...standbys,
          chains: parseChains(RPC_URL),
        }
  return {
    ...rest,
    REGISTER_URLS: parseRegisterUrls(REGISTER_URLS),
    TRUSTED_PROXIES: parseProxies(rest.TRUSTED_PROXIES),
    CORS_ORIGINS: parseOrigins(rest.CORS_ORIGINS),
    ORDER_SERVERS: parseOrderServers(given as Settings),
    ...(rest.PEER_URL === undefined ? {} : { PEER_URL: httpUrl('PEER_URL', rest.PEER_URL).origin }),
    ...(rest.CONSOLE_ORIGIN === undefined ? {} : { CONSOLE_ORIGIN: parseConsoleOrigin(rest.CONSOLE_ORIGIN) }),
    external,
  }
}

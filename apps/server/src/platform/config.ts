import { isIP } from 'node:net'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type AdmissionBounds, DEFAULT_ADMISSION, DEFAULT_PATIENCE, type PatienceSettings } from './bounds.ts'
import { LOOPBACK_HOST } from './loopback.ts'

/** A configuration that cannot work, told in one line per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const port = Type.Integer({ minimum: 0, maximum: 65535 })

/** `host` or `host:port`, separated by commas. */
const HOSTS = '^\\s*((\\[[0-9a-fA-F:.]+\\]|[^\\s,:\\[\\]/@]+)(:[0-9]{1,5})?\\s*(,\\s*|$))*$'

/** Every setting, its default and its meaning. `docs/configuration.md` is generated from here. */
export const settings = {
  PORT: Type.Integer({ ...port, default: 8080, description: 'HTTP port. 0 picks a free one.' }),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address the HTTP server listens on.' }),
  OPS_PORT: Type.Optional(
    Type.Integer({
      ...port,
      description:
        'Port for the operator: `/readyz` part by part, and `/metrics`. 0 picks a free one. Not set: none; in the demo 9464, or a free one when that is busy.',
    }),
  ),
  OPS_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address that OPS_PORT listens on. Everybody who reaches it is answered: keep it off the public network.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      description: 'PostgreSQL 16 or newer. Together with RPC_URL: nothing is embedded, nothing is seeded.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      description:
        'The same database without a pooler. Set it when DATABASE_URL leads to a pooler in transaction mode: statements are then not prepared, and what needs a connection of its own (notices between processes, migrations, the command line) goes here.',
    }),
  ),
  READ_DATABASE_URL: Type.Optional(
    Type.String({
      description:
        'Standbys of the same database, without a pooler in transaction mode: the API serves `GET` requests from them, and shows all that anybody was told before. What is behind, or away, is read from DATABASE_URL. Not set: everything is.',
    }),
  ),
  RPC_URL: Type.Optional(
    Type.String({
      description:
        'JSON-RPC URLs of one chain, separated by commas (failover in that order). Several chains: `1=https://a,https://b 137=https://c`.',
    }),
  ),
  DATABASE_POOL: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 20,
    description: 'Database connections per process.',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: DEFAULT_PATIENCE.statementMs,
    description: 'How long one statement of a request may take, and how long its transaction may stand still.',
  }),
  DATABASE_LOCK_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: DEFAULT_PATIENCE.lockMs,
    description: 'How long a request waits for a lock or for a database connection before it answers `OVERLOADED`.',
  }),
  VENUE_TIMEOUT_MS: Type.Integer({
    minimum: 300,
    default: DEFAULT_PATIENCE.venueMs,
    description:
      'The same for order books. A process that stops while it holds a book loses it after two thirds of this time.',
  }),
  JOB_TIMEOUT_MS: Type.Integer({
    minimum: 1_000,
    default: DEFAULT_PATIENCE.jobMs,
    description: 'How long one statement of the worker or of the command line may take.',
  }),
  MAX_REQUESTS: Type.Integer({
    minimum: 1,
    default: DEFAULT_ADMISSION.inAll,
    description: 'Requests that a process serves at once; what comes beyond them is answered `OVERLOADED`.',
  }),
  MAX_REQUESTS_PER_INSTANCE: Type.Integer({
    minimum: 1,
    default: DEFAULT_ADMISSION.perInstance,
    description: 'Of them, those of one instance.',
  }),
  RPC_TIMEOUT_MS: Type.Integer({ minimum: 100, default: 10_000, description: 'How long one RPC round trip may take.' }),
  CONFIRMATIONS: Type.Integer({
    minimum: 1,
    default: 12,
    description: 'Blocks after which a fact counts as final on a chain that has no `safe` and `finalized` tags.',
  }),
  FOLLOW_INTERVAL_MS: Type.Integer({
    minimum: 50,
    default: 1_000,
    description: 'How often the worker looks for new blocks.',
  }),
  WATCH_INTERVAL_MS: Type.Integer({
    minimum: 50,
    default: 15_000,
    description: 'How often the worker compares liens with tokens and evaluates hooks.',
  }),
  MONITOR_INTERVAL_MS: Type.Integer({
    minimum: 50,
    default: 10_000,
    description: 'How often the worker asks the contracts whether they keep what they promise.',
  }),
  WEBHOOK_ALLOWED_HOSTS: Type.String({
    default: '',
    pattern: HOSTS,
    description:
      'Hosts to which webhooks may go although they use http or are not public: `host` or `host:port`, separated by commas.',
  }),
  DAILY_STATS_CEILING: Type.Integer({
    minimum: 1,
    default: 50_000,
    description: 'Orders or trades behind the daily statistics of a token, above which the oldest days are left out.',
  }),
  FEED_ALLOWED_HOSTS: Type.String({
    default: '',
    pattern: HOSTS,
    description:
      'Hosts that books may be fed from (https) although they are not public: `host` or `host:port`, separated by commas.',
  }),
  STOCK_FEED_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/{}\\s]+/\\S*\\{symbol\\}\\S*$',
      description: 'Where books in mode STOCK_FEED ask for prices; `{symbol}` in it is replaced. Not set: no book can.',
    }),
  ),
  STOCK_FEED_PATH: Type.String({
    default: 'price',
    description: 'Where the price stands in the JSON answer of STOCK_FEED_URL: names and indexes, separated by dots.',
  }),
  DATA_DIR: Type.String({ default: 'var', description: 'Where the embedded database and chain keep their files.' }),
  CHAIN_NODE: Type.Optional(
    Type.Union([Type.Literal('anvil'), Type.Literal('edr')], {
      description:
        'The node of the embedded chain. Not set: the one that made the chain in DATA_DIR, else anvil where it is installed, else edr, which is made for every platform.',
    }),
  ),
  CHAIN_PORT: Type.Integer({
    ...port,
    default: 8545,
    description: 'Port of the embedded chain; another free one is taken when it is busy.',
  }),
  REGISTER_URLS: Type.String({
    default: '',
    description:
      'http(s) addresses of the files of the register of regulated entities, separated by commas; the worker keeps them fresh. Empty: only `tally register import` fills the register.',
  }),
  REGISTER_REFRESH_MINUTES: Type.Integer({
    minimum: 1,
    default: 360,
    description: 'How often the worker looks at each address of REGISTER_URLS.',
  }),
  REGISTER_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: 60_000,
    description: 'How long the download of a register file may take.',
  }),
  REGISTER_MAX_BYTES: Type.Integer({
    minimum: 1_024,
    maximum: 536_870_912,
    default: 67_108_864,
    description: 'How large a register file may be.',
  }),
  RELAYER_KEYSTORE_DIR: Type.Optional(
    Type.String({
      description: 'Folder of the encrypted keystores of relayers. Not set: no relayer signs from a file.',
    }),
  ),
  RELAYER_PASSWORD_FILE: Type.Optional(
    Type.String({ description: 'File with the password of every keystore that has no password file of its own.' }),
  ),
  RELAYER_SIGNER_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 30_000,
    default: 5_000,
    description: 'How long a remote signer may take to sign.',
  }),
  RELAYER_INTERVAL_MS: Type.Integer({
    minimum: 50,
    default: 5_000,
    description: 'How often the worker looks after relayed transactions.',
  }),
  RELAYER_STUCK_SECONDS: Type.Integer({
    minimum: 1,
    default: 120,
    description: 'How long a relayed transaction may wait before it is replaced by one that pays more.',
  }),
  LIMIT_STORE_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?://[^\\s/]+',
      description:
        'Valkey or Redis in which all replicas count requests, failed keys and streams: `redis://user:password@host:6379`. Not set: each process counts for itself, which is right for one.',
    }),
  ),
  ARCHIVE_AFTER_DAYS: Type.Integer({
    minimum: 1,
    default: 90,
    description: 'How old entries of the journals must be for `tally archive write` to move them into a file.',
  }),
  STREAMS_PER_KEY: Type.Integer({
    minimum: 1,
    default: 100,
    description: 'Streams that one API key may have open at once.',
  }),
  AUTH_FAILURES_PER_MINUTE: Type.Integer({
    minimum: 0,
    default: 60,
    description:
      'Requests without a valid API key that one address (IPv6: one /64) may make in a minute. Keys that have opened the door before are let in all the same. 0: any number.',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      'Addresses or networks of the proxies in front, separated by commas: only their `X-Forwarded-For` is believed. Without it all clients behind a proxy count as one address.',
  }),
  CORS_ORIGINS: Type.String({
    default: '',
    description:
      'Origins whose pages may call the API from a browser, separated by commas, such as `https://app.example.com`; `*`: any. Empty: none.',
  }),
  PEER_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'How the other API servers of the deployment reach this one, such as `http://10.0.0.5:8080`. With PEER_SECRET: orders of a ledger go to the server that matches it, whichever they came to.',
    }),
  ),
  PEER_SECRET: Type.Optional(
    Type.String({
      minLength: 32,
      description:
        'The same on all API servers, and known to nobody else: a request with it was let in by one of them.',
    }),
  ),
  ORDER_SERVERS: Type.String({
    default: '',
    description:
      'The `PEER_URL` of those API servers that match orders, separated by commas; with PEER_SECRET, and the same on all of them. A server that is not among them speaks HTTP only: it passes the orders of off-chain books on. Empty: every server matches.',
  }),
  CONSOLE_ORIGIN: Type.Optional(
    Type.String({
      description:
        'Where browsers reach the console, such as `https://console.example.com`: sessions begin and work there only. Not set: on this machine (127.0.0.1, localhost) only.',
    }),
  ),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      description:
        'Identity provider (OpenID Connect) where people can sign in to the console, such as `https://login.example.com`: its address, as it stands in its ID tokens. Together with OIDC_CLIENT_ID. Redirects come to `/sign-in/oidc` of CONSOLE_ORIGIN. Not set: wallets and API keys only.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ description: 'As the identity provider calls this deployment.' })),
  OIDC_CLIENT_SECRET_FILE: Type.Optional(
    Type.String({
      description: 'File with the secret of OIDC_CLIENT_ID. Not set: a public client, which PKCE protects alone.',
    }),
  ),
  OIDC_NAME: Type.String({
    default: 'your organization',
    maxLength: 60,
    description: 'What the button says after "Continue with".',
  }),
  REQUEST_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: 30_000,
    description: 'How long a request may take to arrive as a whole, before its connection is cut.',
  }),
  HEADERS_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: 10_000,
    description: 'The same for its headers.',
  }),
  MAX_CONNECTIONS: Type.Integer({
    minimum: 1,
    default: 5_000,
    description: 'Connections that a process serves at once, streams included; more are closed at once.',
  }),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'How much is logged.' },
  ),
  SHUTDOWN_DELAY_MS: Type.Integer({
    minimum: 0,
    default: 3_000,
    description:
      'How long a process that was told to stop still serves what comes, while `/readyz` already says that it is stopping. The demo does not wait.',
  }),
  SHUTDOWN_GRACE_MS: Type.Integer({
    minimum: 0,
    default: 10_000,
    description: 'How long running requests may take to finish at shutdown.',
  }),
} as const satisfies Record<string, TSchema>

const Settings = Type.Object(settings)
type Settings = Static<typeof Settings>

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

/** How the keys of relayers are reached. */
export const relayerKeysOf = (config: Config) => ({
  keystoreFolder: config.RELAYER_KEYSTORE_DIR,
  passwordFile: config.RELAYER_PASSWORD_FILE,
  signerTimeoutMs: config.RELAYER_SIGNER_TIMEOUT_MS,
})

/** Where people can sign in; undefined: with wallets and keys only. */
export const identityProviderSettingsOf = ({
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET_FILE,
  OIDC_NAME,
}: Config) =>
  OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined
    ? undefined
    : { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, secretFile: OIDC_CLIENT_SECRET_FILE, name: OIDC_NAME }

/** What the door asks of clients. */
export const doorSettingsOf = (config: Config) => ({
  authFailuresPerMinute: config.AUTH_FAILURES_PER_MINUTE,
  clients: {
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    connections: config.MAX_CONNECTIONS,
    trustedProxies: config.TRUSTED_PROXIES,
    origins: config.CORS_ORIGINS,
    consoleOrigin: config.CONSOLE_ORIGIN,
  },
  peerSecret: config.PEER_SECRET,
})

/** Who matches orders: this server, where others reach it, or others only. */
function matchingOf({ PEER_SECRET, PEER_URL, ORDER_SERVERS }: Config) {
  // Without the secret nobody is sent here, since nobody would be believed.
  if (PEER_SECRET === undefined) return { peerUrl: undefined }
  const isOneOfThem = PEER_URL !== undefined && ORDER_SERVERS.includes(PEER_URL)
  return ORDER_SERVERS.length === 0 || isOneOfThem ? { peerUrl: PEER_URL } : { orderServers: ORDER_SERVERS }
}

/** How the order books work. */
export const tradingSettingsOf = (config: Config) => ({
  dailyStatsCeiling: config.DAILY_STATS_CEILING,
  confirmations: config.CONFIRMATIONS,
  ...matchingOf(config),
  feeds: {
    allowedHosts: config.FEED_ALLOWED_HOSTS,
    stockFeedUrl: config.STOCK_FEED_URL,
    stockFeedPath: config.STOCK_FEED_PATH,
  },
})

export const patienceOf = (config: Config): PatienceSettings => ({
  statementMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
  lockMs: config.DATABASE_LOCK_TIMEOUT_MS,
  venueMs: config.VENUE_TIMEOUT_MS,
  jobMs: config.JOB_TIMEOUT_MS,
})

export const admissionOf = (config: Config): AdmissionBounds => ({
  inAll: config.MAX_REQUESTS,
  perInstance: config.MAX_REQUESTS_PER_INSTANCE,
})

import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'
import { tradingSettingsOf } from './config-parts.ts'
import { settings } from './config-settings.ts'

const database = 'postgres://user:password@db.example:5432/tally'
const fault = (env: Record<string, string>): string => {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'no fault'
}

describe('the configuration', () => {
  it('embeds everything and takes every default when nothing is set', () => {
    expect(parseConfig({})).toEqual({
      PORT: 8080,
      HOST: '127.0.0.1',
      OPS_HOST: '127.0.0.1',
      DATABASE_POOL: 20,
      DATABASE_STATEMENT_TIMEOUT_MS: 10_000,
      DATABASE_LOCK_TIMEOUT_MS: 5_000,
      VENUE_TIMEOUT_MS: 3_000,
      JOB_TIMEOUT_MS: 600_000,
      MAX_REQUESTS: 1_024,
      MAX_REQUESTS_PER_INSTANCE: 256,
      RPC_TIMEOUT_MS: 10_000,
      CONFIRMATIONS: 12,
      FOLLOW_INTERVAL_MS: 1_000,
      WATCH_INTERVAL_MS: 15_000,
      MONITOR_INTERVAL_MS: 10_000,
      WEBHOOK_ALLOWED_HOSTS: '',
      DAILY_STATS_CEILING: 50_000,
      FEED_ALLOWED_HOSTS: '',
      STOCK_FEED_PATH: 'price',
      DATA_DIR: 'var',
      CHAIN_PORT: 8545,
      REGISTER_URLS: [],
      REGISTER_REFRESH_MINUTES: 360,
      REGISTER_TIMEOUT_MS: 60_000,
      REGISTER_MAX_BYTES: 67_108_864,
      RELAYER_SIGNER_TIMEOUT_MS: 5_000,
      RELAYER_INTERVAL_MS: 5_000,
      RELAYER_STUCK_SECONDS: 120,
      LOG_LEVEL: 'info',
      ARCHIVE_AFTER_DAYS: 90,
      STREAMS_PER_KEY: 100,
      AUTH_FAILURES_PER_MINUTE: 60,
      TRUSTED_PROXIES: '',
      CORS_ORIGINS: [],
      ORDER_SERVERS: [],
      OIDC_NAME: 'your organization',
      REQUEST_TIMEOUT_MS: 30_000,
      HEADERS_TIMEOUT_MS: 10_000,
      MAX_CONNECTIONS: 5_000,
      SHUTDOWN_DELAY_MS: 3_000,
      SHUTDOWN_GRACE_MS: 10_000,
      external: undefined,
    })
  })

  it('treats an empty value as not set', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
    expect(parseConfig(empty)).toEqual(parseConfig({}))
  })

  it('takes every setting', () => {
    const env = {
      PORT: '0',
      HOST: '0.0.0.0',
      OPS_PORT: '9464',
      OPS_HOST: '::1',
      DATABASE_URL: database,
      RPC_URL: 'https://rpc.example',
      DATABASE_DIRECT_URL: database,
      READ_DATABASE_URL: database,
      DATABASE_POOL: '3',
      DATABASE_STATEMENT_TIMEOUT_MS: '100',
      DATABASE_LOCK_TIMEOUT_MS: '200',
      VENUE_TIMEOUT_MS: '300',
      JOB_TIMEOUT_MS: '1000',
      MAX_REQUESTS: '2',
      MAX_REQUESTS_PER_INSTANCE: '1',
      RPC_TIMEOUT_MS: '100',
      CONFIRMATIONS: '1',
      FOLLOW_INTERVAL_MS: '50',
      WATCH_INTERVAL_MS: '60',
      MONITOR_INTERVAL_MS: '70',
      WEBHOOK_ALLOWED_HOSTS: 'localhost, [::1]:8443,hooks.internal:80',
      DAILY_STATS_CEILING: '1',
      FEED_ALLOWED_HOSTS: 'feed.internal',
      STOCK_FEED_URL: 'https://a.example/{symbol}',
      STOCK_FEED_PATH: 'a.b',
      DATA_DIR: '/data',
      CHAIN_NODE: 'edr',
      CHAIN_PORT: '65535',
      REGISTER_URLS: 'https://a.example/CASPS.csv',
      REGISTER_REFRESH_MINUTES: '1',
      REGISTER_TIMEOUT_MS: '100',
      REGISTER_MAX_BYTES: '1024',
      RELAYER_KEYSTORE_DIR: '/keys',
      RELAYER_PASSWORD_FILE: '/keys/password',
      RELAYER_SIGNER_TIMEOUT_MS: '100',
      RELAYER_INTERVAL_MS: '50',
      RELAYER_STUCK_SECONDS: '1',
      LOG_LEVEL: 'silent',
      ARCHIVE_AFTER_DAYS: '30',
      STREAMS_PER_KEY: '7',
      LIMIT_STORE_URL: 'rediss://limits:pass@store.internal:6380/2',
      AUTH_FAILURES_PER_MINUTE: '0',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
      CONSOLE_ORIGIN: 'https://console.example.com',
      OIDC_ISSUER: 'https://login.example.com/realm',
      OIDC_CLIENT_ID: 'tallystick',
      OIDC_CLIENT_SECRET_FILE: '/keys/oidc',
      OIDC_NAME: 'Example Bank',
      REQUEST_TIMEOUT_MS: '100',
      HEADERS_TIMEOUT_MS: '100',
      MAX_CONNECTIONS: '1',
      SHUTDOWN_DELAY_MS: '0',
      SHUTDOWN_GRACE_MS: '0',
      PEER_URL: 'http://10.0.0.5:8080',
      PEER_SECRET: 'thirty-two characters, all of them',
      ORDER_SERVERS: 'http://10.0.0.5:8080, http://10.0.0.6:8080',
    }
    expect(Object.keys(env).sort()).toEqual(Object.keys(settings).sort())
    expect(parseConfig(env)).toEqual({
      PORT: 0,
      HOST: '0.0.0.0',
      OPS_PORT: 9464,
      OPS_HOST: '::1',
      DATABASE_POOL: 3,
      DATABASE_STATEMENT_TIMEOUT_MS: 100,
      DATABASE_LOCK_TIMEOUT_MS: 200,
      VENUE_TIMEOUT_MS: 300,
      JOB_TIMEOUT_MS: 1000,
      MAX_REQUESTS: 2,
      MAX_REQUESTS_PER_INSTANCE: 1,
      RPC_TIMEOUT_MS: 100,
      CONFIRMATIONS: 1,
      FOLLOW_INTERVAL_MS: 50,
      WATCH_INTERVAL_MS: 60,
      MONITOR_INTERVAL_MS: 70,
      WEBHOOK_ALLOWED_HOSTS: 'localhost, [::1]:8443,hooks.internal:80',
      DAILY_STATS_CEILING: 1,
      FEED_ALLOWED_HOSTS: 'feed.internal',
      STOCK_FEED_URL: 'https://a.example/{symbol}',
      STOCK_FEED_PATH: 'a.b',
      DATA_DIR: '/data',
      CHAIN_NODE: 'edr',
      CHAIN_PORT: 65535,
      REGISTER_URLS: ['https://a.example/CASPS.csv'],
      REGISTER_REFRESH_MINUTES: 1,
      REGISTER_TIMEOUT_MS: 100,
      REGISTER_MAX_BYTES: 1024,
      RELAYER_KEYSTORE_DIR: '/keys',
      RELAYER_PASSWORD_FILE: '/keys/password',
      RELAYER_SIGNER_TIMEOUT_MS: 100,
      RELAYER_INTERVAL_MS: 50,
      RELAYER_STUCK_SECONDS: 1,
      LOG_LEVEL: 'silent',
      ARCHIVE_AFTER_DAYS: 30,
      STREAMS_PER_KEY: 7,
      LIMIT_STORE_URL: 'rediss://limits:pass@store.internal:6380/2',
      AUTH_FAILURES_PER_MINUTE: 0,
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      CORS_ORIGINS: ['https://app.example.com', 'http://localhost:3000'],
      CONSOLE_ORIGIN: 'https://console.example.com',
      OIDC_ISSUER: 'https://login.example.com/realm',
      OIDC_CLIENT_ID: 'tallystick',
      OIDC_CLIENT_SECRET_FILE: '/keys/oidc',
      OIDC_NAME: 'Example Bank',
      REQUEST_TIMEOUT_MS: 100,
      HEADERS_TIMEOUT_MS: 100,
      MAX_CONNECTIONS: 1,
      SHUTDOWN_DELAY_MS: 0,
      SHUTDOWN_GRACE_MS: 0,
      PEER_URL: 'http://10.0.0.5:8080',
      PEER_SECRET: 'thirty-two characters, all of them',
      ORDER_SERVERS: ['http://10.0.0.5:8080', 'http://10.0.0.6:8080'],
      external: {
        databaseUrl: database,
        directUrl: database,
        readUrl: database,
        chains: [{ chainId: undefined, urls: ['https://rpc.example'] }],
      },
    })
  })

  it('lets a server match that is named, and another one pass orders on', () => {
    const secret = { PEER_SECRET: 'thirty-two characters, all of them' }
    const [own, other] = ['http://10.0.0.5:8080', 'http://10.0.0.6:8080']
    const matching = (env: Record<string, string>) => {
      const { peerUrl, orderServers } = tradingSettingsOf(parseConfig(env)) as { peerUrl?: string; orderServers?: [] }
      return { peerUrl, orderServers }
    }
    expect(matching({ ...secret, PEER_URL: own })).toEqual({ peerUrl: own })
    expect(matching({ ...secret, PEER_URL: own, ORDER_SERVERS: `${other},${own}` })).toEqual({ peerUrl: own })
    expect(matching({ ...secret, PEER_URL: `${own}/`, ORDER_SERVERS: own })).toEqual({ peerUrl: own })
    expect(matching({ ...secret, PEER_URL: own, ORDER_SERVERS: `${own}/` })).toEqual({ peerUrl: own })
    expect(matching({ ...secret, PEER_URL: own, ORDER_SERVERS: other })).toEqual({ orderServers: [other] })
    expect(matching({ ...secret, ORDER_SERVERS: other })).toEqual({ orderServers: [other] })
    expect(() => parseConfig({ ORDER_SERVERS: other })).toThrow(/PEER_SECRET is not set/)
    expect(() => parseConfig({ ...secret, PEER_URL: 'http://' })).toThrow('PEER_URL: "http://" is not an http(s) URL.')
    expect(() => parseConfig({ ...secret, ORDER_SERVERS: '10.0.0.6' })).toThrow(/^ORDER_SERVERS: "10.0.0.6" is not/)
  })

  it('ignores variables it does not know', () => {
    expect(parseConfig({ PATH: '/bin', TALLY_PORT: '1' })).toEqual(parseConfig({}))
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['DATABASE_POOL', '0'],
    ['DATABASE_POOL', '1001'],
    ['RPC_TIMEOUT_MS', '99'],
    ['CONFIRMATIONS', '0'],
    ['FOLLOW_INTERVAL_MS', '49'],
    ['WATCH_INTERVAL_MS', '49'],
    ['MONITOR_INTERVAL_MS', '49'],
    ['RELAYER_SIGNER_TIMEOUT_MS', '99'],
    ['RELAYER_SIGNER_TIMEOUT_MS', '30001'],
    ['RELAYER_INTERVAL_MS', '49'],
    ['RELAYER_STUCK_SECONDS', '0'],
    ['REGISTER_REFRESH_MINUTES', '0'],
    ['REGISTER_TIMEOUT_MS', '99'],
    ['REGISTER_MAX_BYTES', '1023'],
    ['REGISTER_MAX_BYTES', '536870913'],
    ['WEBHOOK_ALLOWED_HOSTS', 'https://hooks.internal'],
    ['WEBHOOK_ALLOWED_HOSTS', 'a b'],
    ['FEED_ALLOWED_HOSTS', 'https://feed.internal'],
    ['DAILY_STATS_CEILING', '0'],
    ['CHAIN_NODE', 'geth'],
    ['CHAIN_PORT', '70000'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_GRACE_MS', '-1'],
    ['LIMIT_STORE_URL', 'http://store.internal'],
    ['AUTH_FAILURES_PER_MINUTE', '-1'],
    ['REQUEST_TIMEOUT_MS', '99'],
    ['HEADERS_TIMEOUT_MS', '99'],
    ['MAX_CONNECTIONS', '0'],
    ['OPS_PORT', '65536'],
  ])('refuses %s=%s in one line that names the setting', (name, value) => {
    expect(fault({ [name]: value })).toMatch(new RegExp(`^${name} [^\n]+$`))
  })

  it.each(['proxy.internal', '10.0.0.300', '10.0.0.0/33', '::1/129', '10.0.0.1 10.0.0.2'])(
    'trusts no proxy %j',
    (text) => {
      expect(fault({ TRUSTED_PROXIES: text })).toMatch(/^TRUSTED_PROXIES: "[^"]+" is neither an address nor a network/)
    },
  )

  it.each(['app.example.com', 'https://app.example.com/', 'https://a.example, ftp'])('lets no origin %j in', (text) => {
    expect(fault({ CORS_ORIGINS: text })).toMatch(/^CORS_ORIGINS: "[^"]+" is not an origin such as/)
  })

  it.each(['console.example.com', 'https://console.example.com/', 'ftp://console.example.com', '*'])(
    'refuses %s as the origin of the console',
    (text) => {
      expect(fault({ CONSOLE_ORIGIN: text })).toMatch(/^CONSOLE_ORIGIN: "[^"]+" is not an origin such as/)
    },
  )

  it('wants the identity provider whole, and over https unless it is on this machine', () => {
    const client = { OIDC_CLIENT_ID: 'tallystick' }
    expect(fault(client)).toMatch(/but OIDC_ISSUER is not set/)
    expect(fault({ OIDC_ISSUER: 'https://a.example' })).toMatch(/but OIDC_CLIENT_ID is not set/)
    expect(fault({ OIDC_CLIENT_SECRET_FILE: '/x' })).toMatch(/but OIDC_ISSUER is not set/)
    for (const issuer of ['http://a.example', 'http://localhost.example', 'login', 'ftp://a.example'])
      expect(fault({ ...client, OIDC_ISSUER: issuer })).toMatch(/^OIDC_ISSUER: "[^"]+" is not an https address/)
    for (const issuer of ['https://a.example', 'http://127.0.0.1:4444', 'http://localhost/realm'])
      expect(parseConfig({ ...client, OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer)
  })

  it('wants DATABASE_URL and RPC_URL together and says which one is missing', () => {
    expect(fault({ DATABASE_URL: database })).toMatch(/^DATABASE_URL and RPC_URL come together, but RPC_URL is not set/)
    expect(fault({ RPC_URL: 'http://127.0.0.1:8545' })).toMatch(/but DATABASE_URL is not set/)
    expect(fault({ DATABASE_URL: database, RPC_URL: '' })).toMatch(/but RPC_URL is not set/)
    expect(fault({ DATABASE_URL: database })).not.toContain('\n')
    for (const name of ['DATABASE_DIRECT_URL', 'READ_DATABASE_URL'])
      expect(fault({ [name]: database })).toBe(`${name} is of use only beside DATABASE_URL, which is not set.`)
  })

  it.each(['mysql://host/db', 'db', 'postgres://ho st/db'])('refuses the database URL %s', (url) => {
    expect(fault({ DATABASE_URL: url, RPC_URL: 'http://127.0.0.1:8545' })).toMatch(
      /^DATABASE_URL must look like [^\n]+$/,
    )
  })

  it('does not repeat a password in its complaint', () => {
    expect(fault({ DATABASE_URL: 'mysql://user:hunter2@host/db', RPC_URL: 'http://127.0.0.1' })).not.toContain(
      'hunter2',
    )
  })
})

describe('the RPC URLs', () => {
  const chains = (text: string) => parseConfig({ DATABASE_URL: database, RPC_URL: text }).external?.chains
  const refused = (text: string) => fault({ DATABASE_URL: database, RPC_URL: text })

  it('may be several of one chain, in order', () => {
    expect(chains('https://a.example,https://b.example/key')).toEqual([
      { chainId: undefined, urls: ['https://a.example', 'https://b.example/key'] },
    ])
  })

  it('may serve several chains, each named', () => {
    expect(chains('1=https://a.example,https://b.example  137=https://c.example/?k=1')).toEqual([
      { chainId: 1, urls: ['https://a.example', 'https://b.example'] },
      { chainId: 137, urls: ['https://c.example/?k=1'] },
    ])
  })

  it('need names when there are several chains', () => {
    expect(refused('https://a.example 137=https://c.example')).toMatch(/^RPC_URL names several chains: [^\n]+$/)
  })

  it('may not name one chain twice', () => {
    expect(refused('1=https://a.example 1=https://b.example')).toMatch(/^RPC_URL [^\n]*1[^\n]*$/)
  })

  it.each([
    'localhost:8545',
    'ws://a.example',
    '1=',
    'https://',
    '1=https://a.example 2=x',
    ',',
    '1=,',
    ' ',
    'x=https://a.example',
  ])('refuse %s in one line', (text) => {
    expect(refused(text)).toMatch(/^RPC_URL[: ][^\n]+$/)
  })
})

describe('the stock feed', () => {
  it('is an http(s) address with a place for the symbol', () => {
    expect(tradingSettingsOf(parseConfig({})).feeds).toMatchObject({
      stockFeedUrl: undefined,
      stockFeedPath: 'price',
    })
    const STOCK_FEED_URL = 'https://a.example/quotes/{symbol}?key=1'
    const settings = tradingSettingsOf(parseConfig({ STOCK_FEED_URL, DAILY_STATS_CEILING: '7' }))
    expect(settings).toMatchObject({ dailyStatsCeiling: 7, feeds: { stockFeedUrl: STOCK_FEED_URL } })
  })

  it.each(['https://a.example/quotes', 'ftp://a.example/{symbol}', 'https://{symbol}.example/', '{symbol}'])(
    'refuses %s in one line',
    (STOCK_FEED_URL) => expect(fault({ STOCK_FEED_URL })).toMatch(/^STOCK_FEED_URL [^\n]+$/),
  )
})

describe('addresses of register files', () => {
  it('are a comma list, each once; none unless told', () => {
    const urls = (text?: string) => parseConfig({ REGISTER_URLS: text }).REGISTER_URLS
    expect(urls()).toEqual([])
    expect(urls('https://a.example/CASPS.csv, http://b.example/x ,https://a.example/CASPS.csv,')).toEqual([
      'https://a.example/CASPS.csv',
      'http://b.example/x',
    ])
  })

  it.each(['file:///etc/passwd', 'a.example/x.csv', 'https://a.example,ftp://b.example'])(
    'refuse %s in one line',
    (text) => {
      expect(() => parseConfig({ REGISTER_URLS: text })).toThrow(/^REGISTER_URLS: "[^"]+" is not an http\(s\) URL[.]$/)
    },
  )
})

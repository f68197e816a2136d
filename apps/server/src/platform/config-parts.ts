import type { AdmissionBounds, PatienceSettings } from './bounds.ts'
import type { Config } from './config.ts'

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

import { type Static, type TSchema, Type } from 'typebox'
import { DEFAULT_ADMISSION, DEFAULT_PATIENCE } from './bounds.ts'

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

/** All of them, as one value that can be checked. */
export const Settings = Type.Object(settings)
export type Settings = Static<typeof Settings>

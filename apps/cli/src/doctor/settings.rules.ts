import type { Config } from '@tallystick/server/platform'
import { type Advice, orWell, warning, wrong } from './advice.rules.ts'

const LOOPBACK = /^(127\.|localhost$|::1$)/
const ABOUT = 'settings'

type Bounds = 'MAX_REQUESTS_PER_INSTANCE' | 'MAX_REQUESTS' | 'HEADERS_TIMEOUT_MS' | 'REQUEST_TIMEOUT_MS'
type Waits = 'DATABASE_LOCK_TIMEOUT_MS' | 'DATABASE_STATEMENT_TIMEOUT_MS' | 'VENUE_TIMEOUT_MS' | 'MAX_CONNECTIONS'
type Bound = Bounds | Waits

/** Of each pair, the first has no meaning above the second. */
const pairs: readonly (readonly [Bound, Bound, string])[] = [
  ['MAX_REQUESTS_PER_INSTANCE', 'MAX_REQUESTS', 'one instance can never have as many'],
  ['MAX_REQUESTS', 'MAX_CONNECTIONS', 'no more requests than connections ever arrive'],
  ['HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS', 'the whole request is cut before its headers are'],
  ['DATABASE_LOCK_TIMEOUT_MS', 'DATABASE_STATEMENT_TIMEOUT_MS', 'a statement ends before its wait for a lock does'],
  ['VENUE_TIMEOUT_MS', 'DATABASE_STATEMENT_TIMEOUT_MS', 'a statement ends before the wait for an order book does'],
]

/** Settings that are each acceptable, and contradict each other. */
export function adviseOnSettings(config: Config): readonly Advice[] {
  const found = pairs
    .filter(([low, high]) => config[low] > config[high])
    .map(([low, high, because]) =>
      warning(ABOUT, `${low} is ${config[low]}, above ${high} with ${config[high]}: ${because}.`, `Lower ${low}.`),
    )
  const isOneHost = config.OPS_HOST === config.HOST
  if (config.OPS_PORT !== undefined && config.OPS_PORT !== 0 && config.OPS_PORT === config.PORT && isOneHost)
    found.push(wrong(ABOUT, `PORT and OPS_PORT are both ${config.PORT}.`, 'Give OPS_PORT a port of its own.'))
  if (config.RELAYER_PASSWORD_FILE !== undefined && config.RELAYER_KEYSTORE_DIR === undefined)
    found.push(
      warning(
        ABOUT,
        'RELAYER_PASSWORD_FILE is set, but RELAYER_KEYSTORE_DIR is not: no relayer signs.',
        'Set RELAYER_KEYSTORE_DIR, or unset the other.',
      ),
    )
  if (config.OPS_PORT !== undefined && !LOOPBACK.test(config.OPS_HOST))
    found.push(
      warning(
        ABOUT,
        `OPS_PORT listens on ${config.OPS_HOST}, and answers everybody who reaches it.`,
        'Keep it off the public network with a firewall, or set OPS_HOST=127.0.0.1.',
      ),
    )
  if (config.external) found.push(...adviseOnExternal(config))
  return orWell(found, ABOUT, 'No setting contradicts another.')
}

/** What only matters where others are served. */
function adviseOnExternal(config: Config): Advice[] {
  const found: Advice[] = []
  if (LOOPBACK.test(config.HOST) && config.TRUSTED_PROXIES === '')
    found.push(
      warning(
        ABOUT,
        `HOST is ${config.HOST} and TRUSTED_PROXIES is empty: behind a proxy all clients count as one.`,
        'Set TRUSTED_PROXIES to the address of your proxy.',
      ),
    )
  const { databaseUrl, directUrl, readUrl } = config.external ?? {}
  if (readUrl !== undefined && [databaseUrl, directUrl].includes(readUrl))
    found.push(
      warning(
        ABOUT,
        'READ_DATABASE_URL leads to the primary: every read is a question to it more.',
        'Lead it to standbys, or unset it.',
      ),
    )
  if (config.CORS_ORIGINS.includes('*'))
    found.push(
      warning(ABOUT, 'CORS_ORIGINS is *: any page may call the API.', 'Name the origins of your own pages instead.'),
    )
  return found
}

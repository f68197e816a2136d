import postgres from 'postgres'
import { formatTextArray, parseTextArray } from './text-array.ts'

export interface ConnectionOptions {
  readonly url: string
  readonly applicationName: string
  readonly connectTimeoutSeconds?: number
  /** Settings of the database for this connection. */
  readonly settings?: Readonly<Record<string, string>>
  /** False behind a pooler in transaction mode: the next transaction may be on a connection that has not prepared the statement. */
  readonly prepare?: boolean
  /** What the database passes on from others, once this connection listens. */
  readonly onNotice?: (channel: string, word: string) => void
}

const types = {
  bigint: { to: 1700, from: [20, 1700], serialize: String, parse: BigInt },
  // Array columns of other types come back as text until they are added here.
  textArray: { to: 1009, from: [1009], serialize: formatTextArray, parse: parseTextArray },
}

const RECONNECT_PAUSE_SECONDS = 0.1

/**
 * Somebody ended a commit's wait for a standby. PostgreSQL calls that a success and warns: the row is on this machine, and gone when another
 * one takes over. Known by the place in the server, since its words are in the server's language.
 */
const isCommitAlone = ({ routine }: postgres.Notice): boolean => routine === 'SyncRepWaitForLSN'

/** Options that the driver understands but does not declare. */
const undeclared = (onNotice: ConnectionOptions['onNotice']): object => ({
  // A row of statements must never be parted by a full pipeline.
  max_pipeline: 100_000,
  ...(onNotice ? { onnotify: onNotice } : {}),
})

/** One connection, made when the first statement needs it. `onLost` is told at once when it ends, whatever the reason. */
export function openConnection(options: ConnectionOptions, onLost: () => void): postgres.Sql {
  return postgres(options.url, {
    max: 1,
    prepare: options.prepare ?? true,
    connect_timeout: options.connectTimeoutSeconds ?? 5,
    connection: { ...options.settings, application_name: options.applicationName },
    // Nobody knows what will become of it, as with a connection that broke at the commit.
    onnotice: (notice) => {
      if (isCommitAlone(notice)) onLost()
    },
    onclose: onLost,
    ...undeclared(options.onNotice),
    // The driver's own pause grows to 20 s: readiness would lag that far behind a database that came back.
    backoff: () => RECONNECT_PAUSE_SECONDS,
    // The driver would cut a transaction off to renew an old connection.
    max_lifetime: null,
    // The driver asks for array types behind our back, and a connection lost during that question ends the whole process.
    fetch_types: false,
    types,
  }) as unknown as postgres.Sql
}

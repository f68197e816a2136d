import { once } from 'node:events'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import postgres from 'postgres'
import { connectionLost } from './errors.ts'
import type { Gate } from './gate.ts'
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
const CONNECT_SECONDS = 5

/**
 * Somebody ended a commit's wait for a standby. PostgreSQL calls that a success and warns: the row is on this machine, and gone when another
 * one takes over. Known by the place in the server, since its words are in the server's language.
 */
const isCommitAlone = ({ routine }: postgres.Notice): boolean => routine === 'SyncRepWaitForLSN'

const outOfTime = () => Object.assign(new Error('nobody let us connect in time'), { code: 'CONNECT_TIMEOUT' })

/** Where the driver wants to go; of several hosts each in turn. */
interface Address {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a socket in the file system. */
  readonly path: string | false
}

/** Options that the driver understands but does not declare. */
const undeclared = (
  onNotice: ConnectionOptions['onNotice'],
  socket: (address: Address) => Promise<Duplex>,
): object => ({
  // A row of statements must never be parted by a full pipeline.
  max_pipeline: 100_000,
  socket,
  ...(onNotice ? { onnotify: onNotice } : {}),
})

async function connectTo({ host, port, path }: Address, turn: number, limitMs: number): Promise<Socket> {
  const socket = new Socket()
  const [name, number] = [host[turn % host.length], port[turn % port.length]]
  // The driver names them in its errors, and asks the certificate for the name.
  Object.assign(socket, { host: name, port: number })
  const timer = setTimeout(() => socket.destroy(outOfTime()), limitMs)
  try {
    const connected = once(socket, 'connect')
    if (path) socket.connect(path)
    else socket.connect(number ?? 0, name ?? '')
    await connected
    return socket
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The driver gives up what waits for a connection when its socket fails, and only then. It fails at the first word: the driver keeps one that
 * did not leave, and sends it on its next connection.
 */
function failingSocket(fault: unknown): Duplex {
  return new Duplex({
    read: () => {},
    write: (_, __, done) => done(fault as Error),
  })
}

/** One connection, made when the first statement needs it. `onLost` is told at once when it ends, whatever the reason. */
export function openConnection(options: ConnectionOptions, gate: Gate, onLost: () => void): postgres.Sql {
  let socket: Socket | undefined
  let turn = 0
  let isOver = false
  const limitSeconds = options.connectTimeoutSeconds ?? CONNECT_SECONDS

  async function connect(address: Address): Promise<Duplex> {
    // The driver asks again without a word when the last one was closed without one.
    if (socket) gate.doubt()
    try {
      await gate.entry()
      // The driver connects once more for what was in its queue, after it was ended: nobody would ever close that connection.
      if (isOver) throw connectionLost()
      socket = await connectTo(address, turn++, limitSeconds * 1000)
      if (!isOver) return socket
      socket.destroy()
      throw connectionLost()
    } catch (fault) {
      return failingSocket(fault)
    }
  }

  const client = postgres(options.url, {
    max: 1,
    prepare: options.prepare ?? true,
    connect_timeout: limitSeconds,
    connection: { ...options.settings, application_name: options.applicationName },
    // Nobody knows what will become of it, as with a connection that broke at the commit.
    onnotice: (notice) => {
      if (isCommitAlone(notice)) onLost()
    },
    onclose: () => {
      if (!isOver) gate.doubt()
      onLost()
    },
    ...undeclared(options.onNotice, connect),
    // The driver's own pause grows to 20 s: readiness would lag that far behind a database that came back.
    backoff: () => RECONNECT_PAUSE_SECONDS,
    // The driver would cut a transaction off to renew an old connection.
    max_lifetime: null,
    // The driver asks for array types behind our back, and a connection lost during that question ends the whole process.
    fetch_types: false,
    types,
  }) as unknown as postgres.Sql
  const { end } = client
  return Object.assign(client, {
    async end(how?: { timeout?: number }) {
      try {
        await end(how)
      } finally {
        isOver = true
        // The driver waits for the other side to close it, which may never come to that.
        socket?.destroySoon()
      }
    },
  })
}

/** Whether a connection is let in and answered: a pooler may let it in while there is no database behind it. */
export async function tryConnection(options: ConnectionOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let tries = 0
  const once: Gate = {
    entry: () => (tries++ === 0 ? undefined : Promise.reject(connectionLost())),
    doubt: () => {},
  }
  const client = openConnection(options, once, () => {})
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(connectionLost()), 1000 * (options.connectTimeoutSeconds ?? CONNECT_SECONDS))
  })
  try {
    await Promise.race([client.unsafe('select 1'), silence])
  } finally {
    clearTimeout(timer)
    void client.end({ timeout: 0 })
  }
}

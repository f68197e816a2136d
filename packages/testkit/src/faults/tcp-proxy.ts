import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TcpProxy {
  /** The target's address with the port of the proxy. */
  url: string
  port: number
  counts: { connections: number; bytesToTarget: number; bytesFromTarget: number }
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>
  /** Breaks every connection; new ones are accepted and closed without a word, as by a balancer that knows of no server. */
  turnAway(): void
  /** Connections of clients that stand now. */
  standing(): number
  restore(): Promise<void>
  /** Holds every packet back, in both directions; 0 ends it. */
  delay(milliseconds: number): void
  stop(): Promise<void>
}

/** Stands between a client and a node or database, so that the connection can be made to fail for real. */
export async function tcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const targetPort = Number(target.port || (target.protocol.startsWith('postgres') ? 5432 : 80))
  const counts = { connections: 0, bytesToTarget: 0, bytesFromTarget: 0 }
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let delayMs = 0
  let turnsAway = false

  const server = createServer((client) => {
    counts.connections++
    if (turnsAway) {
      client.on('error', () => {}).end()
      client.resume()
      return
    }
    clients.add(client)
    client.on('close', () => clients.delete(client))
    const upstream = connect(targetPort, target.hostname)
    join(client, upstream, (bytes) => {
      counts.bytesToTarget += bytes
    })
    join(upstream, client, (bytes) => {
      counts.bytesFromTarget += bytes
    })
  })

  function join(from: Socket, to: Socket, count: (bytes: number) => void): void {
    let queue = Promise.resolve()
    // One after the other, so that nothing overtakes when the delay is changed on the way.
    function later(action: () => void): void {
      const due = Date.now() + delayMs
      queue = queue
        .then(() => (due > Date.now() ? sleep(due - Date.now(), undefined, { ref: false }) : undefined))
        .then(action)
    }

    sockets.add(from)
    from.on('data', (chunk) => {
      count(chunk.length)
      later(() => to.write(chunk))
    })
    from.on('end', () => later(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      later(() => to.destroy())
    })
  }

  async function cut(): Promise<void> {
    const closed = close(server)
    breakAll()
    await closed
  }

  function breakAll(): void {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  const port = await listen(server, 0)
  target.hostname = '127.0.0.1'
  target.port = String(port)
  return {
    url: target.toString(),
    port,
    counts,
    cut,
    turnAway() {
      turnsAway = true
      breakAll()
    },
    standing: () => clients.size,
    async restore() {
      turnsAway = false
      if (!server.listening) await listen(server, port)
    },
    delay(milliseconds) {
      delayMs = milliseconds
    },
    stop: cut,
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}

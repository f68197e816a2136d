import { freePort } from '@tallystick/embedded'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../../src/app.ts'
import { createDatabase, type Database } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { BUSY_MACHINE } from '../busy-machine.ts'
import { createOffchainWorld, OFFCHAIN, ONE } from './offchain-world.ts'

export const PEER_SECRET = 'a secret that all servers of the deployment know'

export interface PeerServer {
  readonly url: string
  stop(): Promise<void>
}

export interface PeerAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers; tests say what it should be.
  readonly body: any
}

/** API servers of one deployment, which pass orders of one book on to each other, and clients that choose the server they ask. */
export async function createPeerWorld() {
  const world = await createOffchainWorld()
  const book = await world.createBook()
  await book.fund('anna', 'bert')
  const started: { app: FastifyInstance; database: Database }[] = []

  async function call(
    server: PeerServer,
    method: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<PeerAnswer> {
    const response = await fetch(`${server.url}${OFFCHAIN}${path}`, {
      method,
      headers: { 'x-api-key': world.instance.apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  return {
    world,
    book,

    async startServer(given: { peerSecret?: string; orderServers?: string[] } = {}): Promise<PeerServer> {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const { peerSecret = PEER_SECRET, orderServers } = given
      const database = createDatabase({
        url: world.databaseUrl,
        poolSize: 6,
        applicationName: 'tally-peer',
        ...BUSY_MACHINE.database,
      })
      const { clock, chains } = world
      const app = createApp({
        log: createLog({ level: 'silent' }),
        clock,
        random: systemRandom,
        database,
        chains,
        trading: orderServers ? { orderServers } : { peerUrl: url },
        peerSecret,
      })
      await app.listen({ host: '127.0.0.1', port })
      const one = { app, database }
      started.push(one)
      const stop = async () => {
        started.splice(started.indexOf(one), 1)
        await app.close()
        await database.close()
      }
      return { url, stop }
    },

    call,

    place: (server: PeerServer, request: object = {}, headers: Record<string, string> = {}) =>
      call(
        server,
        'POST',
        '/orders',
        {
          orderBookId: book.id,
          customerRef: 'anna',
          side: 'BUY',
          orderType: 'LIMIT',
          price: String(ONE),
          quantity: String(ONE),
          ...request,
        },
        headers,
      ),

    async laneOf(): Promise<{ epoch: number; sequence: number; owner: string; url: string }> {
      const [lane] = await world.superuser`
        select epoch::int, sequence::int, owner, owner_url as url from lanes where lane_id = ${world.instance.instanceId}`
      return lane as { epoch: number; sequence: number; owner: string; url: string }
    },

    /** The lease of whoever has a lane is over. */
    endLease: () => world.superuser`update lanes set lease_until = '-infinity'`,

    async close(): Promise<void> {
      for (const { app, database } of started.splice(0)) {
        await app.close()
        await database.close()
      }
      await world.close()
    },
  }
}

export type PeerWorld = Awaited<ReturnType<typeof createPeerWorld>>

import type { FastifyInstance } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TenantDatabase } from '../platform/db/database.ts'
import { isOfInstance } from '../platform/http/caller.ts'
import { isUuid } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import * as store from './key-requests.store.ts'

const KEPT = 200
const FLUSH_MS = 2_000
/** What comes faster than the database takes it is left out: it is a log for people. */
const MOST_WAITING = 5_000

interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** What keys ask for, written down in groups: a request never waits for it. */
export function createKeyRequests({ database, clock, log }: Parts) {
  let waiting: store.KeyRequest[] = []
  let writing: Promise<void> = Promise.resolve()

  async function write(requests: readonly store.KeyRequest[]): Promise<void> {
    try {
      await database.as('tally_operator', (sql) => store.insertRequests(sql, requests, KEPT))
    } catch (error) {
      log.warn({ err: error, lost: requests.length }, 'the requests of keys could not be written down')
    }
  }

  /** Resolves when everything that was noted so far is written. */
  function flush(): Promise<void> {
    if (waiting.length === 0) return writing
    const group = waiting
    waiting = []
    writing = writing.then(() => write(group))
    return writing
  }

  return {
    flush,

    /** Sessions are left out: their log is that of transactions and of the audit. */
    watch(app: FastifyInstance): void {
      const timer = setInterval(() => void flush(), FLUSH_MS)
      timer.unref()
      app.addHook('onClose', async () => {
        clearInterval(timer)
        await flush()
      })
      app.addHook('onResponse', async (request, reply) => {
        const { caller } = request
        if (!caller || !isOfInstance(caller) || caller.session || waiting.length >= MOST_WAITING) return
        waiting.push({
          instanceId: caller.instance.instanceId,
          keyId: caller.keyId,
          requestId: request.id,
          at: clock.now(),
          method: request.method,
          path: request.routeOptions.url ?? '',
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime),
        })
      })
    },

    async list(tenant: TenantDatabase, keyId: string) {
      const [own] = isUuid(keyId) ? await tenant.read((sql) => store.isOwnKey(sql, tenant.instanceId, keyId)) : []
      if (!own) throw new AppError('KEY_NOT_FOUND')
      await flush()
      const rows = await tenant.read((sql) => store.listRequests(sql, tenant.instanceId, keyId, KEPT))
      return { requests: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) }
    },
  }
}

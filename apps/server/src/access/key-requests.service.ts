import type { FastifyInstance } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TenantDatabase } from '../platform/db/database.ts'
import { isOfInstance } from '../platform/http/caller.ts'
import { isUuid } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { createNewest } from './key-requests.rules.ts'
import * as store from './key-requests.store.ts'

const KEPT = 200
const FLUSH_MS = 2_000

interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** What keys ask for, written down in groups: a request never waits for it. */
export function createKeyRequests({ database, clock, log }: Parts) {
  const waiting = createNewest<store.KeyRequest>(KEPT)
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false

  async function write(): Promise<void> {
    const requests = waiting.take()
    if (requests.length === 0) return
    isWriting = true
    try {
      await database.as('tally_operator', (sql) => store.insertRequests(sql, requests, KEPT))
    } catch (error) {
      log.warn({ err: error, lost: requests.length }, 'the requests of keys could not be written down')
    } finally {
      isWriting = false
    }
  }

  /** Resolves when everything that was noted so far is written. */
  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  return {
    flush,

    /** Sessions are left out: their log is that of transactions and of the audit. */
    watch(app: FastifyInstance): void {
      // A database that answers late is not asked again meanwhile: what waits stays bounded.
      const timer = setInterval(() => void (isWriting || flush()), FLUSH_MS)
      timer.unref()
      app.addHook('onClose', async () => {
        clearInterval(timer)
        await flush()
      })
      app.addHook('onResponse', (request, reply, done) => {
        const { caller } = request
        if (!caller || !isOfInstance(caller) || caller.session) return done()
        waiting.add(caller.keyId, {
          instanceId: caller.instance.instanceId,
          keyId: caller.keyId,
          requestId: request.id,
          at: clock.now(),
          method: request.method,
          path: request.routeOptions.url ?? '',
          status: reply.statusCode,
          durationMs: Math.round(reply.elapsedTime),
        })
        done()
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

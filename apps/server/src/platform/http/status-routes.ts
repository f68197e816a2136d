import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { openApiDocument } from './openapi.ts'

/** One part that must work before requests can be served. */
export interface Readiness {
  readonly part: string
  /** Resolves when the part works; rejects or answers a sentence when it does not. */
  check(): Promise<string | undefined>
}

const CHECK_TIMEOUT_MS = 2_000

async function settled(readiness: Readiness): Promise<{ part: string; ready: boolean; reason?: string }> {
  const timeout = new Promise<string>((resolve) =>
    setTimeout(() => resolve('no answer in time'), CHECK_TIMEOUT_MS).unref(),
  )
  try {
    const reason = await Promise.race([readiness.check(), timeout])
    return reason === undefined ? { part: readiness.part, ready: true } : { part: readiness.part, ready: false, reason }
  } catch (error) {
    return { part: readiness.part, ready: false, reason: error instanceof Error ? error.name : 'failed' }
  }
}

function once(write: () => string): () => string {
  let written: string | undefined
  return () => {
    written ??= write()
    return written
  }
}

/** The pages of the service about itself: open to everyone, they show nothing of any tenant. */
export function mountStatusRoutes(
  app: FastifyInstance,
  parts: { readonly version: string; readonly metrics: Metrics; readonly readiness: readonly Readiness[] },
): void {
  // Written when somebody first asks: most processes are never asked.
  const openApi = once(() => JSON.stringify(openApiDocument(parts.version)))

  app.get('/healthz', async () => ({ status: 'ok', version: parts.version }))
  app.get('/readyz', async (_request, reply) => {
    const states = await Promise.all(parts.readiness.map(settled))
    const ready = states.every((state) => state.ready)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', parts: states })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics()),
  )
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi()))
}

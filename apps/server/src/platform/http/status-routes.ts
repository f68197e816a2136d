import type { FastifyInstance } from 'fastify'
import { lasting, sendCacheable } from './cacheable.ts'
import { openApiDocument } from './openapi/document.ts'
import { mayServe, type ReadyState } from './readiness.ts'

function once<T>(write: () => T): () => T {
  let written: T | undefined
  return () => {
    written ??= write()
    return written
  }
}

/** The pages of the service about itself: open to everyone, so they say whether it works and never what is wrong. */
export function mountStatusRoutes(
  app: FastifyInstance,
  parts: { readonly version: string; readonly look: () => Promise<ReadyState> },
): void {
  // Written when somebody first asks: most processes are never asked.
  const openApi = once(() => lasting(JSON.stringify(openApiDocument(parts.version))))

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const state = await parts.look()
    return reply.code(mayServe(state) ? 200 : 503).send({ status: state.status })
  })
  app.get('/openapi.json', async (request, reply) =>
    sendCacheable(request, reply.type('application/json; charset=utf-8'), openApi()),
  )
}

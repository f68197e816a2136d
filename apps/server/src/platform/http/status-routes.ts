import type { FastifyInstance } from 'fastify'
import { lasting, sendCacheable } from './cacheable.ts'
import { openApiDocument } from './openapi/document.ts'
import { mayServe, type ReadyState } from './readiness.ts'

const documents = new Map<string, ReturnType<typeof lasting>>()

/** Written when somebody first asks, since most processes are never asked, and once for all servers of a process: it takes seconds. */
function documentOf(version: string) {
  const known = documents.get(version) ?? lasting(JSON.stringify(openApiDocument(version)))
  documents.set(version, known)
  return known
}

/** The pages of the service about itself: open to everyone, so they say whether it works and never what is wrong. */
export function mountStatusRoutes(
  app: FastifyInstance,
  parts: { readonly version: string; readonly look: () => Promise<ReadyState> },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const state = await parts.look()
    return reply.code(mayServe(state) ? 200 : 503).send({ status: state.status })
  })
  app.get('/openapi.json', async (request, reply) =>
    sendCacheable(request, reply.type('application/json; charset=utf-8'), documentOf(parts.version)),
  )
}

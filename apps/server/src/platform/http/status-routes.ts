import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { lasting, sendCacheable } from './cacheable.ts'
import { openApiDocument } from './openapi/document.ts'
import { mayServe, type ReadyState } from './readiness.ts'

const documents = new Map<string, ReturnType<typeof lasting>>()

/** Written by a build. Among the sources there is none. */
const WRITTEN = fileURLToPath(new URL('./openapi/document.json', import.meta.url))

const textOf = (version: string): string =>
  existsSync(WRITTEN) ? readFileSync(WRITTEN, 'utf8') : JSON.stringify(openApiDocument(version))

/** Looked for when somebody first asks, since most processes are never asked, and once for all servers of a process. */
function documentOf(version: string) {
  const known = documents.get(version) ?? lasting(textOf(version))
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

import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Cacheable, cacheable, sendCacheable } from '../platform/http/cacheable.ts'
import { contentPolicy } from './shell.ts'
import { createSite } from './site.ts'

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))

/** The documentation, open to everyone: it shows nothing of any tenant. */
export function mountDocs(app: FastifyInstance, version: string): void {
  const site = createSite(DOCS, version)
  const pages = new Map<string, Cacheable>()
  function pageAt(path: string): Cacheable {
    const page = pages.get(path) ?? cacheable(site.page(path) ?? '')
    pages.set(path, page)
    return page
  }
  for (const path of site.paths)
    app.get(path, async (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': contentPolicy, 'referrer-policy': 'no-referrer' })
      return sendCacheable(request, reply, pageAt(path))
    })
  app.get('/docs/reference', async (_request, reply) => reply.redirect('/docs'))
  // Every browser asks for it: without an answer each visit begins with an error in its console.
  app.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
  app.get('/', async (_request, reply) => reply.redirect('/docs'))
}

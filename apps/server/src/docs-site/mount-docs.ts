import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type Cacheable, lasting, sendCacheable } from '../platform/http/cacheable.ts'
import { contentPolicy } from './shell.ts'
import { createSite } from './site.ts'

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))
const PICTURES = join(DOCS, 'pictures')
const SCRIPT = fileURLToPath(new URL('./browser/site.js', import.meta.url))

/** The documentation, open to everyone: it shows nothing of any tenant. */
export function mountDocs(app: FastifyInstance, version: string): void {
  const site = createSite(DOCS, version)
  const kept = new Map<string, Promise<Cacheable>>()
  function once(path: string, write: () => string | Promise<string>): Promise<Cacheable> {
    const known = kept.get(path) ?? Promise.resolve(write()).then(lasting)
    kept.set(path, known)
    return known
  }
  for (const path of site.paths)
    app.get(path, async (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': contentPolicy, 'referrer-policy': 'no-referrer' })
      return sendCacheable(request, reply, await once(path, () => site.page(path) ?? ''))
    })
  for (const name of readdirSync(PICTURES).filter((one) => one.endsWith('.webp')))
    app.get(`/docs/pictures/${name}`, async (_request, reply) =>
      reply
        .type('image/webp')
        .header('cache-control', 'public, max-age=3600')
        .send(await readFile(join(PICTURES, name))),
    )
  app.get('/docs/site.js', async (request, reply) => {
    reply.type('text/javascript; charset=utf-8')
    return sendCacheable(request, reply, await once('/docs/site.js', () => readFileSync(SCRIPT, 'utf8')))
  })
  app.get('/docs/search.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8')
    const write = async () => JSON.stringify(await site.searchIndex())
    return sendCacheable(request, reply, await once('/docs/search.json', write))
  })
  app.get('/docs/reference', async (_request, reply) => reply.redirect('/docs'))
  // Every browser asks for it: without an answer each visit begins with an error in its console.
  app.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
}

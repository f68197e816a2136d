import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that is the same for everybody until the next release. */
export interface Cacheable {
  readonly text: string
  readonly etag: string
}

/** Weak: compressed and plain are the same text in other bytes. */
export const cacheable = (text: string): Cacheable => ({
  text,
  etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/** The text, or that the caller has it already. */
export function sendCacheable(request: FastifyRequest, reply: FastifyReply, { text, etag }: Cacheable): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? []
  return known.includes(etag) || known.includes('*') ? reply.code(304).send() : reply.send(text)
}

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that a caller who has it need not be sent again. */
export interface Cacheable {
  readonly text: string
  readonly etag: string
  /** Only of what is kept: made once, when somebody first takes it. */
  readonly brotli?: () => Promise<Buffer>
}

/** Beside the thread that answers, so it may take a second; the last step would take four for three hundredths less. */
const QUALITY = 10
const compressed = promisify(brotliCompress)
const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }

/** Weak: compressed and plain are the same text in other bytes. */
export const cacheable = (text: string): Cacheable => ({
  text,
  etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/** A text that is the same for everybody until the next release. */
export function lasting(text: string): Cacheable {
  let made: Promise<Buffer> | undefined
  const brotli = () => {
    made ??= compressed(text, { params })
    return made
  }
  return { ...cacheable(text), brotli }
}

/** Whoever weighs encodings against each other is answered like everywhere else. */
const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  /(^|,)\s*br\s*(,|$)/.test(String(headers['accept-encoding'] ?? ''))

/** The text, or that the caller has it already. */
export async function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag, brotli }: Cacheable,
): Promise<FastifyReply> {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? []
  if (known.includes(etag) || known.includes('*')) return reply.code(304).send()
  if (!brotli || !takesBrotli(request)) return reply.send(text)
  const varied = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
  return reply.headers({ 'content-encoding': 'br', vary: varied }).send(await brotli())
}

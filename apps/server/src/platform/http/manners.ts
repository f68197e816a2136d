import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { Operation } from '@tallystick/wire'
import type { FastifyInstance } from 'fastify'

/** Shorter than this, an answer is sent sooner than it is compressed. */
const COMPRESSED_FROM = 2_048
/** The best that zlib can do takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 4

/** Larger answers are compressed for whoever takes it, and compressed bodies are read. Routes that are added later speak so. */
export function speakCompressed(app: FastifyInstance): void {
  app.register(compress, {
    threshold: COMPRESSED_FROM,
    encodings: ['br', 'gzip'],
    requestEncodings: ['br', 'gzip', 'deflate'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  })
}

const ASKED_HEADERS = ['content-type', 'idempotency-key', 'last-event-id', 'x-api-key']
const SHOWN_HEADERS = [
  'content-disposition',
  'etag',
  'idempotent-replay',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
]

/** Pages of these origins may call from a browser; `*`: any. Without origins none may, as browsers have it. */
export function letOriginsIn(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ASKED_HEADERS,
    exposedHeaders: SHOWN_HEADERS,
    maxAge: 600,
  })
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Which methods a path takes; none: nothing is served there. */
export function createMethodsOf(operations: readonly Operation[]) {
  const served = operations.flatMap(({ method, path, alsoAt = [] }) =>
    [path, ...alsoAt].map((one) => ({ method, form: new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`) })),
  )
  return (path: string): string[] => {
    if (!isDecodable(path)) return []
    const methods = new Set(served.filter(({ form }) => form.test(path)).map(({ method }) => String(method)))
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods].sort()
  }
}

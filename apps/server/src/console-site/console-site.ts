import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What a page of the console may do: run and show what this service serves, and ask this service. Nobody frames it. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const guards = {
  'content-security-policy': CONTENT_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** What a build may hold. Other files, such as its notes for itself, are not served. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const START = 'index.html'
/** Names in here hold a hash of what is in them, so a file of one name never changes. */
const HASHED = 'assets/'
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface Served {
  readonly name: string
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
  readonly encoded: ReadonlyMap<string, Buffer>
}

function readAll(folder: string): Map<string, Served> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
  const present = new Set(names)
  const read = (name: string) => readFileSync(join(folder, name))
  return new Map(
    names.flatMap((name): [string, Served][] => {
      const type = types[extname(name)]
      if (!type) return []
      const bytes = read(name)
      const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      const made = encodings.flatMap(([encoding, suffix]): [string, Buffer][] =>
        present.has(`${name}${suffix}`) ? [[encoding, read(`${name}${suffix}`)]] : [],
      )
      return [[name, { name, type, etag, bytes, encoded: new Map(made) }]]
    }),
  )
}

/** Whoever weighs encodings against each other gets the plain file. */
const takes = ({ headers }: FastifyRequest, encoding: string): boolean =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(,|$)`).test(String(headers['accept-encoding'] ?? ''))

function send(request: FastifyRequest, reply: FastifyReply, file: Served): FastifyReply {
  const cache = file.name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache'
  reply.type(file.type).headers({ ...guards, etag: file.etag, 'cache-control': cache, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const [encoding] = encodings.find(([name]) => file.encoded.has(name) && takes(request, name)) ?? []
  if (encoding === undefined) return reply.send(file.bytes)
  return reply.header('content-encoding', encoding).send(file.encoded.get(encoding))
}

/** Paths that are never a page of the console: what is missing there is an error and says so. */
const NO_PAGE = /^\/(docs|openapi\.json|healthz|readyz|assets|\.well-known)(\/|$)|\/api(\/|$)|\.[^/]*$/

export interface ConsoleSite {
  mount(app: FastifyInstance): void
  /** A place inside the console that somebody navigates to: the console itself shows it. Undefined: it is none. */
  page(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/** What the pages have to know of their deployment before anybody is signed in. */
export interface ConsoleSettings {
  /** Where people can sign in beside wallets and keys. */
  readonly identityProvider: { readonly name: string } | null
}

const SETTINGS = '/console.json'

/** The console, as its build left it. Undefined: it was not built. */
export function createConsoleSite(
  folder: string,
  settings: ConsoleSettings = { identityProvider: null },
): ConsoleSite | undefined {
  if (!existsSync(join(folder, START))) return undefined
  const files = readAll(folder)
  const start = files.get(START)
  if (!start) return undefined
  return {
    mount(app) {
      app.get('/', async (request, reply) => send(request, reply, start))
      app.get(SETTINGS, async (_request, reply) =>
        reply.headers({ ...guards, 'cache-control': 'no-cache' }).send(settings),
      )
      for (const file of files.values())
        if (file !== start && file.name !== 'favicon.ico')
          app.get(`/${file.name}`, async (request, reply) => send(request, reply, file))
    },
    page(request, reply) {
      const [path = ''] = request.url.split('?')
      const isNavigation = request.method === 'GET' && String(request.headers.accept).includes('text/html')
      return isNavigation && !NO_PAGE.test(path) ? send(request, reply, start) : undefined
    },
  }
}

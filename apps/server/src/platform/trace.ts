import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A piece of work as whoever follows a request sees it. */
export interface SpanRequest {
  readonly name: string
  /** Of others (a database, a node), or our own. */
  readonly kind: 'client' | 'internal'
  readonly attributes?: Readonly<Record<string, string | number>>
}

export interface Tracer {
  span<T>(request: SpanRequest, work: () => Promise<T>): Promise<T>
  /** Begins the span of a request, or enters it again; all that `next` sets off belongs to it. Answers the id of its trace. */
  enter(request: FastifyRequest, next: () => void): string
  leave(request: FastifyRequest, reply: FastifyReply): void
}

declare module 'fastify' {
  interface FastifyRequest {
    traceId?: string
  }
}

/** One for the process, or none. Whoever asks for none of it pays nothing: its libraries are not even loaded. */
let tracer: Tracer | undefined

export function traceWith(next: Tracer | undefined): void {
  tracer = next
}

export const traced = <T>(request: () => SpanRequest, work: () => Promise<T>): Promise<T> =>
  tracer ? tracer.span(request(), work) : work()

export function traceRequests(app: FastifyInstance): void {
  const chosen = tracer
  if (!chosen) return
  const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    request.traceId = chosen.enter(request, done)
  }
  app.addHook('onRequest', enter)
  // Reading the body leaves what was entered: its end is an event of the connection, not of the request.
  app.addHook('preValidation', enter)
  app.addHook('onResponse', async (request, reply) => chosen.leave(request, reply))
}

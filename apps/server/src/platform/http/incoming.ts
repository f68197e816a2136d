import type { FastifyRequest } from 'fastify'

type Asked =
  | 'id'
  | 'ip'
  | 'protocol'
  | 'method'
  | 'url'
  | 'headers'
  | 'params'
  | 'query'
  | 'body'
  | 'log'
  | 'caller'
  | 'holder'
  | 'stay'
  | 'rateHeaders'
  | 'traceId'

/** What is asked of a request, whether its client sent it here or another server of the deployment passed it on. */
export interface Incoming extends Pick<FastifyRequest, Asked> {
  readonly routeOptions: { readonly url?: string | undefined }
  /** Of its client; another server passes on many over one. */
  readonly raw?: { readonly socket: object }
  /** How many servers passed it on: the first one let it in, and counted it. */
  readonly hops?: number
}

import { Readable } from 'node:stream'
import { largestBodyOf, type Operation } from '@tallystick/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'
import { type Answer, classify, failureAnswer, legOf, retryAfterSeconds } from './answer.ts'
import { attributionOf } from './caller.ts'
import { createDoor, type DoorParts, instanceCallerOf } from './door.ts'
import type { Incoming } from './incoming.ts'
import { BodyError } from './json-body.ts'
import type { Peers } from './peers.ts'
import { contextOf, createPerform, fastifyPathsOf } from './perform.ts'
import type { Route, ServedBest } from './route.ts'
import { createStream } from './stream.ts'
import type { StreamHub } from './streams.ts'
import { declaredCode, invalid } from './validate.ts'

/** The server that a request came to passes it on, and that one once more where what is asked for has just moved on. */
const MOST_HOPS = 2

interface MountParts extends DoorParts {
  readonly streams: StreamHub
}

async function send(reply: FastifyReply, { status, body, file, csv, headers }: Answer): Promise<FastifyReply> {
  if (headers) reply.headers(headers)
  if (csv)
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .headers({ vary: 'accept', 'content-disposition': `attachment; filename="${csv.name}"` })
      .send(csv.lines)
  if (!file) return reply.code(status).type('application/json; charset=utf-8').send(body)
  return reply.type(file.type).header('content-disposition', `attachment; filename="${file.name}"`).send(file.bytes)
}

/** To HEAD the headers of what GET would get. */
function withoutBody(
  { method }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isLeftOut = method === 'HEAD' && payload !== null && payload !== undefined
  if (isLeftOut && payload instanceof Readable) payload.destroy()
  else if (isLeftOut) reply.header('content-length', String(Buffer.byteLength(payload as string | Buffer)))
  done(null, isLeftOut ? null : payload)
}

/** Puts an endpoint on all its paths: the door lets a request in, then it is performed or streamed. */
export function mount(app: FastifyInstance, parts: MountParts, route: Route): void {
  const { operation } = route
  const door = createDoor(operation, parts)

  /** Turns any error into an answer, and tells the log and the counters which code it was. */
  function refusalOf(request: Incoming, error: unknown): Answer {
    const failure = classify(operation, legOf(operation, request.body), error)
    parts.onFailure?.({ operation: operation.id, leg: failure.leg, code: failure.code })
    const whose = attributionOf(request)
    const line = { operation: operation.id, code: failure.code, status: failure.spec.status, ...whose }
    if (failure.spec.status >= 500) request.log.error({ ...line, err: error }, 'request failed')
    else request.log.info(line, 'request refused')
    const answer = failureAnswer(failure, contextOf(request, parts.clock.now()))
    const wait = retryAfterSeconds(failure)
    return wait === undefined ? answer : { ...answer, headers: { 'retry-after': String(wait) } }
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    const answer = refusalOf(request, error)
    // Whoever cannot show a key shall not hold a connection.
    if (answer.status === 401 || (answer.status === 429 && !request.caller)) reply.header('connection', 'close')
    return send(reply, answer)
  }

  /** What the server answers that serves it best. Undefined: that is us, or nobody else is there. */
  async function passOn(peers: Peers, servedBest: ServedBest, request: Incoming): Promise<Answer | undefined> {
    const { hops = 0 } = request
    if (hops >= MOST_HOPS) return undefined
    const { instanceId } = instanceCallerOf(request).instance
    // Whoever passes it on believes that it is served here: what was believed here before is looked at again.
    for (let mustLook = hops > 0; ; mustLook = false) {
      const url = await servedBest.at(instanceId, mustLook)
      if (url === undefined) return undefined
      let answer: Answer | undefined
      try {
        answer = await peers.pass(url, operation.id, request, () => servedBest.stillAnswers(instanceId, url))
      } finally {
        if (!answer) servedBest.isGone(instanceId, url)
      }
      if (answer) return answer
    }
  }

  function performing(one: Exclude<Route, { readonly serves: 'listeners' }>) {
    const perform = createPerform(one, parts, door)
    const { peers } = parts
    const servedBest = one.serves === 'instances' ? one.servedBest : undefined

    async function performed(request: Incoming): Promise<Answer> {
      const { answer, replayed } = await door.workingOn(request, () => perform(request))
      return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replay': 'true' } } : answer
    }

    async function servedByAny(request: Incoming): Promise<Answer> {
      const passed = peers && servedBest && (await door.workingOn(request, () => passOn(peers, servedBest, request)))
      return passed ?? performed(request)
    }

    /** What another server passed on: the same door and the same work, and the other one sends the answer. */
    async function taken(request: Incoming): Promise<Answer> {
      try {
        await door.letInPassedOn(request)
        return await servedByAny(request)
      } catch (error) {
        return refusalOf(request, error)
      } finally {
        door.letOut(request)
      }
    }

    if (servedBest) parts.desk?.takes(operation.id, taken)
    return {
      handler: async (request: FastifyRequest, reply: FastifyReply) => send(reply, await servedByAny(request)),
    }
  }

  const options = {
    // One route for both: to mount a second one for HEAD takes as long again.
    ...(operation.method === 'GET' && route.serves !== 'listeners'
      ? { method: ['GET', 'HEAD'], onSend: withoutBody }
      : { method: operation.method }),
    exposeHeadRoute: false,
    bodyLimit: largestBodyOf(operation),
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      if (await door.letIn(request, reply)) return reply.hijack()
    },
    onResponse: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      door.letOut(request)
      done()
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      refuse(request, reply, bodyFault(operation, error) ?? error),
    ...(route.serves === 'listeners' ? createStream(route, parts, door) : performing(route)),
  }
  for (const url of fastifyPathsOf(operation)) app.route({ ...options, url })
}

/** What was found wrong with a body before anybody looked into it, in our own codes. */
function bodyFault(operation: Operation, error: unknown): AppError | undefined {
  if (error instanceof BodyError) {
    const { field, message } = error
    const own = operation.textCodes?.[field]
    return own
      ? new AppError(declaredCode(own), { detail: `${field} ${message}` })
      : invalid(operation, [{ field, message }])
  }
  switch ((error as { code?: unknown }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', {
        detail: `The body is larger than ${largestBodyOf(operation)} bytes, which is the most that this route takes.`,
        cause: error,
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error })
    case 'FST_CP_ERR_INVALID_CONTENT_ENCODING':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', {
        detail: 'The content-encoding of the body is not one of br, gzip and deflate.',
        cause: error,
      })
    case 'FST_CP_ERR_INVALID_CONTENT':
      return invalid(operation, [{ field: 'body', message: 'is not what its content-encoding says' }])
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid(operation, [{ field: 'body', message: 'is not as long as it says' }])
    default:
      return undefined
  }
}

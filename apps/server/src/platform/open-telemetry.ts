import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { FastifyRequest } from 'fastify'
import type { Tracer } from './trace.ts'

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** Only the SDK's own reading of its variables decides where to, how often and how much. */
function createSdk(serviceName: string, env: Readonly<Record<string, string | undefined>>): NodeSDK {
  const isNamed = env.OTEL_SERVICE_NAME || /(^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? '')
  // Figures are for Prometheus and lines for the log: of all that it could send, it sends traces.
  return new NodeSDK({
    ...(isNamed ? {} : { serviceName }),
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  })
}

function failed(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: 'failed' }
  // Messages of the database can repeat values of rows: only our own kinds of fault tell theirs.
  span.setStatus({ code: SpanStatusCode.ERROR, message: name === 'ChainUnavailableError' ? message : name })
}

export function startOpenTelemetry(serviceName: string, env: Readonly<Record<string, string | undefined>>) {
  const sdk = createSdk(serviceName, env)
  sdk.start()
  const spans = trace.getTracer('tallystick')
  const entered = new WeakMap<FastifyRequest, { span: Span; within: Context }>()

  function begin(request: FastifyRequest) {
    const before = propagation.extract(ROOT_CONTEXT, request.headers)
    const { method, routeOptions, id } = request
    const route = routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': method, 'http.route': route, 'tally.request_id': id }
    const span = spans.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, before)
    const begun = { span, within: trace.setSpan(before, span) }
    entered.set(request, begun)
    return begun
  }

  const tracer: Tracer = {
    span({ name, kind, attributes = {} }, work) {
      return spans.startActiveSpan(name, { kind: kinds[kind], attributes }, async (span) => {
        try {
          return await work()
        } catch (error) {
          failed(span, error)
          throw error
        } finally {
          span.end()
        }
      })
    },
    enter(request, next) {
      const { span, within } = entered.get(request) ?? begin(request)
      context.with(within, next)
      return span.spanContext().traceId
    },
    leave(request, reply) {
      const span = entered.get(request)?.span
      if (!span) return
      const { caller } = request
      span.setAttribute('http.response.status_code', reply.statusCode)
      if (caller) span.setAttribute('tally.key_id', caller.keyId)
      if (caller && 'instance' in caller) span.setAttribute('tally.instance_id', caller.instance.instanceId)
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
  return { tracer, stop: () => sdk.shutdown() }
}

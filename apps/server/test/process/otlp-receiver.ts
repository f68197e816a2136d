import { createServer } from 'node:http'
import { later } from './cleanup.ts'

export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** As OTLP counts them: 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, string>>
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes' | 'service'> & { attributes: readonly Attribute[] })[]
    }[]
  }[]
}

const named = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))

/** Takes traces by OTLP over HTTP, in JSON. */
export async function startOtlpReceiver(): Promise<{ url: string; spans: ReceivedSpan[]; paths: Set<string> }> {
  const spans: ReceivedSpan[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    paths.add(request.url ?? '')
    const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Export
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...span,
          service: named(resource.attributes)['service.name'] ?? '',
          attributes: named(span.attributes),
        })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  later(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, spans, paths }
}

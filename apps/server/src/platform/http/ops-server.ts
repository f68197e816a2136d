import fastify, { type FastifyInstance } from 'fastify'
import { ConfigError } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import { mayServe, type Readiness, readinessLook } from './readiness.ts'

export interface OpsParts {
  readonly version: string
  readonly metrics: Metrics
  readonly readiness: readonly Readiness[]
}

export interface RunningOps {
  readonly url: string
  stop(): Promise<void>
}

/** What only the operator of a deployment should see: which part is not ready, and the figures. Never behind the public door. */
export function createOpsServer({ version, metrics, readiness }: OpsParts): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true })
  const look = readinessLook(readiness)
  app.get('/healthz', async () => ({ status: 'ok', version }))
  app.get('/readyz', async (_request, reply) => {
    const state = await look()
    return reply.code(mayServe(state) ? 200 : 503).send(state)
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  return app
}

/** Serves them until stopped, for an API and a worker alike. */
export async function startOpsServer(
  parts: OpsParts,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RunningOps> {
  const app = createOpsServer(parts)
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`OPS_HOST=${host} with OPS_PORT=${port} cannot be listened on (${code}).`, { cause: error })
  }
  const [address] = app.addresses()
  const bound = typeof address === 'object' ? address.port : port
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, stop: () => app.close() }
}

import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Everything that /metrics shows. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'tally_http_request_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    failures: new Counter({
      name: 'tally_failures_total',
      help: 'Refused requests by code',
      labelNames: ['operation', 'leg', 'code'] as const,
      registers,
    }),
    chainHead: new Gauge({
      name: 'tally_chain_head',
      help: 'Newest block the worker saw',
      labelNames: ['chain'] as const,
      registers,
    }),
    chainFollowed: new Gauge({
      name: 'tally_chain_followed',
      help: 'Block up to which events are recorded',
      labelNames: ['chain'] as const,
      registers,
    }),
    factsOrphaned: new Counter({
      name: 'tally_facts_orphaned_total',
      help: 'Facts undone by reorganizations',
      labelNames: ['chain'] as const,
      registers,
    }),
    followErrors: new Counter({
      name: 'tally_follow_errors_total',
      help: 'Failed looks at a chain',
      labelNames: ['chain'] as const,
      registers,
    }),
    nodesReachable: new Gauge({
      name: 'tally_chain_nodes_reachable',
      help: 'Chain nodes that answer',
      labelNames: ['chain'] as const,
      registers,
    }),
    nodesDisagree: new Gauge({
      name: 'tally_chain_nodes_disagree',
      help: '1 while nodes show different blocks at one height',
      labelNames: ['chain'] as const,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    metrics.requests.observe(labels, reply.elapsedTime / 1000)
  })
}

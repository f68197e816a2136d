import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Queue, queues, type Read, reads, type Wait, waits } from './measure.ts'

let ofProcess: Registry | undefined

/** Measured once, whoever asks: a timer and an observer of its collections of garbage measure a process for as long as it runs. */
function processRegistry(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/** Everything that /metrics shows. No label is called `job` or `instance`: Prometheus puts its own in their place. */
export function createMetrics() {
  const own = new Registry()
  const registers = [own]
  const metrics = {
    processInfo: new Gauge({
      name: 'tally_process_info',
      help: '1 for a process that runs: api, worker, or both in one',
      labelNames: ['process', 'version'] as const,
      registers,
    }),
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
    lienShortfalls: new Gauge({
      name: 'tally_lien_shortfalls_open',
      help: 'Wallets that hold less than the liens on them claim',
      labelNames: ['chain'] as const,
      registers,
    }),
    liensUnread: new Gauge({
      name: 'tally_liens_unread',
      help: 'Wallets with liens that the last look could not read',
      labelNames: ['chain'] as const,
      registers,
    }),
    liensCheckedAt: new Gauge({
      name: 'tally_liens_checked_timestamp_seconds',
      help: 'When all liens were last looked at',
      labelNames: ['chain'] as const,
      registers,
    }),
    watchErrors: new Counter({
      name: 'tally_watch_errors_total',
      help: 'Failed looks at liens, hooks, settlements and promises of contracts',
      labelNames: ['chain', 'watch'] as const,
      registers,
    }),
    invariantsHeld: new Gauge({
      name: 'tally_invariants_held',
      help: 'Promises of contracts that the last look found kept',
      labelNames: ['chain'] as const,
      registers,
    }),
    invariantBroken: new Gauge({
      name: 'tally_invariant_broken',
      help: '1 for every promise of a contract that two looks at two different blocks found broken',
      labelNames: ['chain', 'contract', 'invariant'] as const,
      registers,
    }),
    invariantsSuspected: new Gauge({
      name: 'tally_invariants_suspected',
      help: 'Promises of contracts of which the last look said other than the ones before; the next look decides',
      labelNames: ['chain'] as const,
      registers,
    }),
    suspicionsDismissed: new Counter({
      name: 'tally_invariant_suspicions_dismissed_total',
      help: 'Looks at the promises of contracts that the next look, at another block, did not agree with',
      labelNames: ['chain'] as const,
      registers,
    }),
    invariantsUnread: new Gauge({
      name: 'tally_invariants_unread',
      help: 'Contracts that the last look could not read',
      labelNames: ['chain'] as const,
      registers,
    }),
    invariantsCheckedAt: new Gauge({
      name: 'tally_invariants_checked_timestamp_seconds',
      help: 'When the promises of contracts were last looked at',
      labelNames: ['chain'] as const,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'tally_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by what became of it',
      labelNames: ['status'] as const,
      registers,
    }),
    laneGroupsLeft: new Gauge({
      name: 'tally_lane_groups_left',
      help: 'Groups of orders whose rows are still to be written, of the lane with the most of them',
      registers,
    }),
    settlementsPending: new Gauge({
      name: 'tally_settlements_pending',
      help: 'Settlements of trades that have not ended in a final block',
      labelNames: ['chain'] as const,
      registers,
    }),
    settlementsOldestPending: new Gauge({
      name: 'tally_settlements_oldest_pending_seconds',
      help: 'Age of the oldest settlement that has not ended; 0: there is none',
      labelNames: ['chain'] as const,
      registers,
    }),
    relayerPending: new Gauge({
      name: 'tally_relayer_pending',
      help: 'Relayed transactions that are stored and not mined',
      labelNames: ['chain', 'tenant'] as const,
      registers,
    }),
    relayerOldestPending: new Gauge({
      name: 'tally_relayer_oldest_pending_seconds',
      help: 'Age of the oldest relayed transaction that is not mined; 0: there is none',
      labelNames: ['chain', 'tenant'] as const,
      registers,
    }),
    relayerBalance: new Gauge({
      name: 'tally_relayer_balance',
      help: 'Native currency that the account of a relayer holds',
      labelNames: ['chain', 'tenant'] as const,
      registers,
    }),
    relayerErrors: new Counter({
      name: 'tally_relayer_errors_total',
      help: 'Failed looks at relayed transactions',
      labelNames: ['chain'] as const,
      registers,
    }),
    databaseWaiting: new Gauge({
      name: 'tally_database_waiting',
      help: 'Transactions that wait for a connection of a full pool, or for a lock',
      labelNames: ['what'] as const,
      registers,
    }),
    databaseWaits: new Histogram({
      name: 'tally_database_wait_seconds',
      help: 'How long transactions waited for a connection of a full pool, and statements that lock for their answer',
      labelNames: ['what'] as const,
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    reads: new Counter({
      name: 'tally_reads_total',
      help: 'Reads that a standby of READ_DATABASE_URL may serve, by who served them',
      labelNames: ['from'] as const,
      registers,
    }),
    groupSize: new Histogram({
      name: 'tally_group_size',
      help: 'Requests that the order books committed together',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
      registers,
    }),
    groupQueue: new Gauge({
      name: 'tally_group_queue',
      help: 'Requests that wait for their turn at an order book',
      registers,
    }),
    streams: new Gauge({
      name: 'tally_streams',
      help: 'Streams that this process serves',
      registers,
    }),
    limitStoreUp: new Gauge({
      name: 'tally_limit_store_up',
      help: '1 while limits are counted in the shared store; 0 while each process counts for itself',
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
  return { ...metrics, registry: Registry.merge([processRegistry(), own]) }
}

export type Metrics = ReturnType<typeof createMetrics>

/** Takes down what is measured anywhere in the process. Call what it answers to stop. */
export function listenToMeasures(metrics: Metrics): () => void {
  const onWait = (message: unknown) => {
    const { what, waiting, seconds } = message as Wait
    metrics.databaseWaiting.inc({ what }, waiting)
    if (waiting < 0) metrics.databaseWaits.observe({ what }, seconds)
  }
  const onQueue = (message: unknown) => {
    const { queued, group } = message as Queue
    metrics.groupQueue.inc(queued)
    if (group > 0) metrics.groupSize.observe(group)
  }
  const onRead = (message: unknown) => metrics.reads.inc({ from: (message as Read).from })
  waits.subscribe(onWait)
  queues.subscribe(onQueue)
  reads.subscribe(onRead)
  return () => {
    waits.unsubscribe(onWait)
    queues.unsubscribe(onQueue)
    reads.unsubscribe(onRead)
  }
}

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // How long somebody listened says nothing about us.
    if (request.opened) return done()
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    metrics.requests.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}

import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import type { Sample } from '../measure.ts'

export interface OrderLoad {
  readonly url: string
  readonly headers: Record<string, string>
  /** The next body, for every request a new one. */
  readonly body: () => string
  /** The next request whole, where its headers are not always the same. */
  readonly next?: () => { readonly headers: Record<string, string>; readonly body: string }
  /** An idempotency key of its own for every request. */
  readonly isKeyed?: boolean
  /** Orders that one request carries. */
  readonly orders: number
  /** No more than so many; as many as are answered unless given. */
  readonly requestsPerSecond?: number
}

const CONNECTIONS = 64
/** A server that is new to its work does a third of what it will do: of several, each learns from its part of it. */
export const WARM_UP_SECONDS = 10

/** Loads one address for some seconds, or with so many requests; `perSecond` counts orders, not requests. */
export async function fireOrders(
  load: OrderLoad,
  effort: number | { readonly requests: number },
  connections = CONNECTIONS,
): Promise<Sample> {
  const times: number[] = []
  const begun = performance.now()
  let answeredAt = begun
  const refusals = new Set<string>()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: load.url,
        connections,
        ...(typeof effort === 'number' ? { duration: effort } : { amount: effort.requests }),
        ...(load.requestsPerSecond === undefined ? {} : { overallRate: load.requestsPerSecond }),
        timeout: 60,
        requests: [
          {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...load.headers },
            setupRequest: (request: autocannon.Request) => {
              const { headers = {}, body } = load.next?.() ?? { body: load.body() }
              const key = load.isKeyed ? { 'idempotency-key': `bench-${randomUUID()}` } : {}
              return { ...request, headers: { ...request.headers, ...headers, ...key }, body }
            },
            onResponse: (status: number, body: string) => {
              if (status >= 300 && refusals.size < 5) refusals.add(`${status} ${body.slice(0, 300)}`)
            },
          },
        ],
      },
      (fault, done) => (fault ? reject(fault) : resolve(done)),
    )
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds)
      answeredAt = performance.now()
    })
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${load.url}: ${result.non2xx} refusals, ${result.errors} errors of ${times.length}\n${[...refusals].join('\n')}`,
    )
  times.sort((a, b) => a - b)
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  // The load generator looks once a second whether all requests are answered.
  const seconds = typeof effort === 'number' ? result.duration : (answeredAt - begun) / 1000
  return {
    answers: times.length,
    perSecond: (times.length * load.orders) / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

/** Answers once everything that was sent before it is answered: whoever stopped asking left its last requests behind. */
async function settle({ url, headers, body }: OrderLoad): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: body() }
  await (await fetch(url, request)).text()
}

/** As many as it had answered in so many seconds, and more than one for each connection. */
const requestsIn = ({ answers, seconds }: { answers: number; seconds: number }, wanted: number): number =>
  Math.max(2 * CONNECTIONS, Math.round((answers / seconds) * wanted))

/**
 * Each in turn, round by round, and never beside what another one left to be done. A round is as many requests as fit into its seconds, each of
 * them answered: of requests that carry many orders, those under way at its end would be a good part of all.
 */
export async function interleaveOrders<K extends string>(
  loads: Record<K, OrderLoad>,
  rounds: number,
  seconds: number,
): Promise<Record<K, Sample[]>> {
  const names = Object.keys(loads) as K[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<K, Sample[]>
  const fire = async (name: K, effort: Parameters<typeof fireOrders>[1]) => {
    const sample = await fireOrders(loads[name], effort)
    await settle(loads[name])
    return sample
  }
  const requests = {} as Record<K, number>
  for (const name of names) requests[name] = requestsIn({ ...(await fire(name, seconds)), seconds }, seconds)
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) samples[name].push(await fire(name, { requests: requests[name] }))
  return samples
}

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
}

const CONNECTIONS = 64

/** Loads one address for some seconds, or with so many requests; `perSecond` counts orders, not requests. */
export async function fireOrders(
  load: OrderLoad,
  effort: number | { readonly requests: number },
  connections = CONNECTIONS,
): Promise<Sample> {
  const times: number[] = []
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: load.url,
        connections,
        ...(typeof effort === 'number' ? { duration: effort } : { amount: effort.requests }),
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
          },
        ],
      },
      (fault, done) => (fault ? reject(fault) : resolve(done)),
    )
    run.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${load.url}: ${result.non2xx} refusals, ${result.errors} errors of ${times.length}`)
  times.sort((a, b) => a - b)
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return {
    answers: times.length,
    perSecond: (times.length * load.orders) / result.duration,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

/** Answers once everything that was sent before it is answered: whoever stopped asking left its last requests behind. */
async function settle({ url, headers, body }: OrderLoad): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: body() }
  await (await fetch(url, request)).text()
}

/** Each in turn, round by round, and never beside what another one left to be done. */
export async function interleaveOrders<K extends string>(
  loads: Record<K, OrderLoad>,
  rounds: number,
  seconds: number,
): Promise<Record<K, Sample[]>> {
  const names = Object.keys(loads) as K[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<K, Sample[]>
  const fire = async (name: K) => {
    const sample = await fireOrders(loads[name], seconds)
    await settle(loads[name])
    return sample
  }
  for (const name of names) await fire(name)
  for (let round = 0; round < rounds; round += 1) for (const name of names) samples[name].push(await fire(name))
  return samples
}

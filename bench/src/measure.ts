import autocannon from 'autocannon'

/** One short load on one address. */
export interface Load {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Record<string, string>
  readonly body?: string
  /** A fresh header value per request, for example an idempotency key. */
  readonly uniqueHeader?: { readonly name: string; readonly next: () => string }
  /** Asked in turn, in place of the path of `url`. */
  readonly paths?: readonly string[]
  readonly connections?: number
  /**
   * So many requests for each second, however long they take, and the load ends when all are answered. Without it a load ends in time, and
   * what it asked last is still being worked on when the next one begins.
   */
  readonly requestsPerSecond?: number
}

export interface Sample {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const CONNECTIONS = 16
/** Seconds: longer than a busy machine lets anybody wait, so that what fails has failed. */
export const PATIENCE = 60

/** Runs a load and notes how long each answer took: the load generator itself reports whole milliseconds only. */
async function timed(options: autocannon.Options): Promise<{ result: autocannon.Result; times: number[] }> {
  const times: number[] = []
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (fault, done) => (fault ? reject(fault) : resolve(done)))
    run.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
  return { result, times: times.sort((a, b) => a - b) }
}

/** What changes from request to request; null: nothing does. */
function setUp({ uniqueHeader, paths }: Load): ((request: autocannon.Request) => autocannon.Request) | null {
  if (!uniqueHeader && !paths) return null
  let turn = 0
  return (request) => {
    const path = paths?.[turn++ % paths.length]
    return {
      ...request,
      ...(path === undefined ? {} : { path }),
      ...(uniqueHeader ? { headers: { ...request.headers, [uniqueHeader.name]: uniqueHeader.next() } } : {}),
    }
  }
}

async function fire(load: Load, seconds: number): Promise<Sample> {
  const setupRequest = setUp(load)
  const { result, times } = await timed({
    url: load.url,
    connections: load.connections ?? CONNECTIONS,
    duration: seconds,
    ...(load.requestsPerSecond === undefined ? {} : { amount: load.requestsPerSecond * seconds }),
    timeout: PATIENCE,
    requests: [
      {
        method: load.method ?? 'GET',
        headers: load.headers ?? {},
        ...(load.body === undefined ? {} : { body: load.body }),
        ...(setupRequest ? { setupRequest } : {}),
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${load.url}: ${result.non2xx} refusals, ${result.errors} errors`)
  const quantile = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return {
    answers: times.length,
    perSecond: result.requests.average,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Loads several addresses in turn, round by round, so that whatever else the machine does hits all of them alike. */
export async function interleave<K extends string>(
  loads: Record<K, Load>,
  rounds: number,
  seconds: number,
): Promise<Record<K, Sample[]>> {
  const names = Object.keys(loads) as K[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<K, Sample[]>
  for (const name of names) await fire(loads[name], 1)
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) {
      const sample = await fire(loads[name], seconds)
      if (sample.answers === 0) throw new Error(`${loads[name].url}: not one answer in ${seconds} s`)
      samples[name].push(sample)
    }
  return samples
}

/** The median over rounds of ours divided by theirs, so a slow round counts once and not against one side only. */
export function ratio(ours: readonly Sample[], theirs: readonly Sample[], of: keyof Sample): number {
  return median(ours.map((sample, round) => sample[of] / (theirs[round]?.[of] ?? Number.NaN)))
}

import { call } from './call.ts'
import { openLoans } from './loan-book.ts'
import { interleave } from './measure.ts'
import type { Report } from './report.ts'
import type { Addresses, BenchWorld } from './world.ts'

const LOANS = 1000
const READERS = 200
const PAGE = 50

interface Page {
  readonly data: { readonly positions: readonly { id: string; onChainLoanId: string }[]; readonly nextCursor: string }
}

/** Every page of the list, so that the readers do not all ask for the same loans. */
async function allPages(url: string, headers: Record<string, string>): Promise<{ queries: string[]; ids: string[] }> {
  const queries: string[] = []
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `?limit=${PAGE}${cursor && `&cursor=${cursor}`}`
    const { data }: Page = await call<Page>(`${url}${query}`, { method: 'GET', headers })
    queries.push(query)
    ids.push(...data.positions.map(({ id }) => id))
    cursor = data.nextCursor
  }
  if (ids.length !== LOANS) throw new Error(`${ids.length} positions are listed, not ${LOANS}`)
  return { queries, ids }
}

/** Many readers of a market with many loans, beside bare routes that make the same calls to the node and nothing else. */
export async function measurePositions(
  world: BenchWorld,
  { product, bare }: Addresses,
  report: Report,
  { rounds, seconds, marketId }: { rounds: number; seconds: number; marketId: string },
): Promise<void> {
  const headers = { 'x-api-key': world.lender.apiKey }
  const started = performance.now()
  const { borrowers } = await openLoans(world, product, marketId, LOANS)
  const base = `/lending-external-securities/api/positions/${marketId}`
  const { queries, ids } = await allPages(`${product}${base}/positions`, headers)
  const took = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${LOANS} loans opened and followed in ${took} s\n`)

  const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T
  const kinds = {
    getLoan: (turn: number) => `${base}/loan/${1 + ((turn * 37) % LOANS)}`,
    listPositions: (turn: number) => `${base}/positions${at(queries, turn)}`,
    getPosition: (turn: number) => `${base}/positions/${at(ids, turn * 41)}`,
    listUserLoans: (turn: number) => `${base}/user-loans/${at(borrowers, turn)}?limit=${PAGE}`,
  }
  for (const [name, pathOf] of Object.entries(kinds))
    await call(`${bare}/rivals/${name}`, { body: { path: pathOf(0), headers } })
  const turns = Array.from({ length: 100 }, (_, turn) => turn)
  const loads = {
    ours: { paths: turns.flatMap((turn) => Object.values(kinds).map((pathOf) => pathOf(turn))), url: product, headers },
    bare: { paths: Object.keys(kinds).map((name) => `/rivals/${name}/multicall`), url: bare },
  }
  // A wave of them takes seconds: cut off, it would be the load of whoever comes next.
  const readers = { connections: READERS, requestsPerSecond: READERS }
  const many = { ours: { ...loads.ours, ...readers }, bare: { ...loads.bare, ...readers } }
  const read = await interleave(many, rounds, seconds)
  const answers = read.ours.reduce((sum, sample) => sum + sample.answers, 0)
  const label = `${READERS} readers of ${LOANS} loans`
  // A load that is refused even once has ended the run.
  report.row(`${label}: failed requests`, 0, '0', true, `${answers} answers`)
  report.slowness(`${label}, p50 / bare routes with the same reads`, read.ours, read.bare, 3)
  report.slowestOfHundred(`${label}, p99 / bare routes with the same reads`, read.ours, read.bare, 3)
}

import { demoCashAbi } from '@tallystick/abi'
import { send } from '@tallystick/testkit'
import { type Address, type Hex, hexToBigInt, numberToHex, parseUnits } from 'viem'
import { abis } from '../../../apps/server/src/lending/contracts.ts'
import { asCursor } from '../../../apps/server/src/platform/page.ts'
import { call } from '../call.ts'
import { startFollowing } from '../following.ts'
import { createLendingMarket, marketsPath } from '../lending-market.ts'
import { borrowers, openLoans } from '../loan-book.ts'
import { interleave, type Load, median, ratio, type Sample } from '../measure.ts'
import type { Report } from '../report.ts'
import { type BenchWorld, createBenchWorld, startServers } from '../world.ts'
import { copyDatabase, fill } from './databases.ts'
import { fillLoans } from './loan-fill.ts'

const ON_CHAIN = 1_000
/** Closed loans that the small record has too, so that both have a page of them. */
const FEW = 100
const PAGE = 50
/** Who waits for an answer, not how much fits through. */
const CONNECTIONS = 4
const BARS = { p50: 2, p99: 3 }

/** Where a market keeps its counter of loans: contracts/layouts/LendingMarket.json. */
const COUNTER_SLOT = 0x85bbc8e231fdaaa918f65b12f17a42b3da14be589161030e5fe28008e7197b04n
const COUNTER_BIT = 160n

/** The chain counts on from here: what has lower numbers only the record knows. */
async function startCountingAt({ chain }: BenchWorld, market: Address, count: number): Promise<void> {
  const slot = numberToHex(COUNTER_SLOT, { size: 32 })
  const before = hexToBigInt((await chain.publicClient.getStorageAt({ address: market, slot })) as Hex)
  const value = numberToHex(before | (BigInt(count) << COUNTER_BIT), { size: 32 })
  await chain.testClient.setStorageAt({ address: market, index: slot, value })
}

/** Pays a loan back on chain, so that the record knows what that looks like. */
async function repay(world: BenchWorld, market: Address, loanId: bigint): Promise<void> {
  const { chain } = world
  const following = await startFollowing(world)
  const { asset } = await chain.publicClient.readContract({ address: market, abi: abis.market, functionName: 'parts' })
  const loan = await chain.publicClient.readContract({
    address: market,
    abi: abis.market,
    functionName: 'loan',
    args: [loanId],
  })
  const account = borrowers.find(({ address }) => address === loan.borrower)
  if (!account) throw new Error(`loan ${loanId} is nobody's`)
  const amount = parseUnits('1000', 6)
  const cash = { address: asset, abi: demoCashAbi }
  await send(chain, { ...cash, functionName: 'mint', args: [account.address, amount], account: chain.accounts[0] })
  await send(chain, { ...cash, functionName: 'approve', args: [market, amount], account })
  await send(chain, { address: market, abi: abis.market, functionName: 'repay', args: [loanId, amount], account })
  // Without one there is no history to show.
  await send(chain, { address: market, abi: abis.market, functionName: 'pokeSnapshot', args: [], account })
  await following.finish()
}

/** The same market twice: with the loans that stand on chain, and with so many more that only the record has. */
async function fillBoth(world: BenchWorld, market: Address, loans: number): Promise<string> {
  const to = loans - ON_CHAIN
  const pattern = { market, pattern: BigInt(loans), great: borrowers[0]?.address ?? market, to }
  const large = await copyDatabase(world, 'bench_large')
  await fill(world, world.databaseUrl, (sql) => fillLoans(sql, { ...pattern, from: to - FEW + 1 }))
  await fill(world, large, (sql) => fillLoans(sql, { ...pattern, from: 1 }))
  return large
}

interface Place {
  readonly small: string
  readonly large: string
  readonly headers: Record<string, string>
  readonly marketId: string
  readonly loans: number
}

/** The same questions to both; what a page shows of open loans the chain is asked for, and it has the same ones for both. */
export async function compareReads(
  report: Report,
  { rounds, seconds }: { rounds: number; seconds: number },
  { small, large, headers, marketId, loans }: Place,
): Promise<void> {
  const positions = `/lending-external-securities/api/positions/${marketId}`
  const at = (loanId: number) => asCursor([String(loanId)])
  const lastClosed = loans - ON_CHAIN
  const same = (path: string) => ({ small: path, large: path })
  const kinds: Record<string, { small: string; large: string }> = {
    'first page of 50 loans': same(`${positions}/positions?limit=${PAGE}`),
    'page of 50 closed loans far down': {
      small: `${positions}/positions?limit=${PAGE}&cursor=${at(lastClosed)}`,
      large: `${positions}/positions?limit=${PAGE}&cursor=${at(Math.ceil(loans / 2))}`,
    },
    'page of 50 repaid loans': same(`${positions}/positions?limit=${PAGE}&status=REPAID`),
    'page of open loans behind the last one': same(
      `${positions}/positions?limit=${PAGE}&status=ACTIVE&cursor=${at(lastClosed)}`,
    ),
    'loans of a borrower with a tenth of all': same(`${positions}/user-loans/${borrowers[0]?.address}?limit=${PAGE}`),
    'loans of a borrower with 125': same(`${positions}/user-loans/${borrowers[1]?.address}?limit=${PAGE}`),
    'metrics of the market': same(`${marketsPath}/${marketId}/metrics`),
    'last 50 lines of the market': same(`${marketsPath}/${marketId}/transactions?limit=${PAGE}`),
  }
  const load = (url: string): Load => ({ url, headers, connections: CONNECTIONS })
  const ask = (paths: { small: string; large: string }) =>
    interleave({ large: load(`${large}${paths.large}`), small: load(`${small}${paths.small}`) }, rounds, seconds)
  const sizes = `${loans} / ${ON_CHAIN}`
  for (const [label, paths] of Object.entries(kinds)) {
    const read = await ask(paths)
    report.slowness(`${label}, p50, ${sizes}`, read.large, read.small, BARS.p50)
    report.slowestOfHundred(`${label}, p99, ${sizes}`, read.large, read.small, BARS.p99)
  }
  // With a loan a minute these have forty times as many events in them: it grows with those, and not with the years before.
  const history = await ask(same(`${marketsPath}/${marketId}/history`))
  const middle = (of: readonly Sample[]) => median(of.map(({ p50Ms }) => p50Ms)).toFixed(1)
  const figure = ratio(history.large, history.small, 'p50Ms')
  const raw = `p50 ${middle(history.large)} ms / p50 ${middle(history.small)} ms`
  report.row(`history of 30 days, p50, ${sizes}`, figure, 'printed', true, raw)
}

/** What readers of a market wait for, with a thousand loans behind it and with a million. */
export async function measureLoans(
  report: Report,
  { rounds, seconds, loans }: { rounds: number; seconds: number; loans: number },
): Promise<void> {
  const world = await createBenchWorld()
  const stops: (() => unknown)[] = [world.stop]
  try {
    const setup = await startServers(world)
    stops.unshift(setup.stop)
    const headers = { 'x-api-key': world.lender.apiKey }
    const marketId = await createLendingMarket(world, setup.product)
    const { data } = await call<{ data: { marketAddress: Address } }>(`${setup.product}${marketsPath}/${marketId}`, {
      method: 'GET',
      headers,
    })
    await startCountingAt(world, data.marketAddress, loans - ON_CHAIN)
    await openLoans(world, setup.product, marketId, ON_CHAIN)
    await repay(world, data.marketAddress, BigInt(loans))
    setup.stop()

    const begun = performance.now()
    const largeUrl = await fillBoth(world, data.marketAddress, loans)
    process.stdout.write(`        ${loans} loans, ${ON_CHAIN} of them on chain: ${took(begun)} to fill\n`)
    const small = await startServers(world)
    const large = await startServers({ ...world, databaseUrl: largeUrl })
    stops.unshift(small.stop, large.stop)

    const place = { small: small.product, large: large.product, headers, marketId, loans }
    await compareReads(report, { rounds, seconds }, place)
  } finally {
    for (const stop of stops) await stop()
  }
}

const took = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(0)} s`

import type { Address, Hex } from 'viem'
import { DemoRefusedError } from '../demo-client.ts'
import { type BookPlan, bookPlans } from './trading-plan.ts'
import { type DemoBook, prefixOf, type TradingStage } from './trading-stage.ts'

interface BookRecord {
  readonly id: string
  readonly tokenAddress: Address
  readonly quoteTokenAddress: Address
  readonly status: 'ACTIVE' | 'PAUSED' | 'CLOSED'
  readonly settlementMode: 'ON_CHAIN' | 'OFF_CHAIN'
  readonly custodyContract: Address | null
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  readonly _imported?: true
}

/** How the book is guarded: by a price that the keeper renews. */
const reference = {
  ...{ priceRefEnabled: true, priceRefMode: 'MANUAL', priceRefSpreadBps: 2_000 },
  ...{ priceRefHaltOnStale: true, priceRefStaleTolerance: 3_600 },
} as const

const isin = 'DE000A1EWWW0'

function requestOf({ world, issuer, tokenOf }: TradingStage, plan: BookPlan): Record<string, unknown> {
  const { symbol, name } = plan
  const common = { tokenAddress: tokenOf(symbol), quoteTokenAddress: tokenOf('dEUR'), name, symbol, ...reference }
  const { StockTradingVault, CommodityTradingVault } = world.contracts
  const offered = { ...common, allowImport: true }
  switch (plan.label) {
    case 'stock':
      return { ...offered, settlementMode: 'ON_CHAIN', custodyContract: StockTradingVault }
    case 'commodity':
      return { ...offered, custodyContract: CommodityTradingVault }
    case 'external':
      return { ...offered, settlementOperator: issuer.account.address, underlyingIdentifier: isin }
    case 'offchain':
      return { ...common, tokenType: 'STOCK_TOKEN', takerFeeBps: 15 }
  }
}

const asBook = (plan: BookPlan, record: BookRecord): DemoBook => ({
  plan,
  id: record.id,
  prefix: prefixOf(plan),
  path: `${prefixOf(plan)}/order-books/${record.id}`,
  base: record.tokenAddress,
  quote: record.quoteTokenAddress,
  custody: record.custodyContract,
  baseDecimals: record.baseDecimals ?? 0,
  quoteDecimals: record.quoteDecimals ?? 0,
})

/** The newest that is not closed. */
async function findBook({ issuer, tokenOf }: TradingStage, plan: BookPlan): Promise<BookRecord | undefined> {
  const records = await issuer.call<BookRecord[]>('GET', `${prefixOf(plan)}/order-books`)
  const mode = plan.custody === 'ledger' ? 'OFF_CHAIN' : 'ON_CHAIN'
  return records.find(
    (one) =>
      one.tokenAddress === tokenOf(plan.symbol) &&
      one.quoteTokenAddress === tokenOf('dEUR') &&
      one.settlementMode === mode &&
      one.status !== 'CLOSED' &&
      !one._imported,
  )
}

interface SetupStep {
  readonly key: string
  readonly to: Address
  readonly data: Hex
}

/** What the custody contract has to be told first comes back as the refusal; the issuer platform may tell it all. */
async function createBook(stage: TradingStage, plan: BookPlan): Promise<BookRecord> {
  const { issuer, signing } = stage
  const [path, request] = [`${prefixOf(plan)}/order-books`, requestOf(stage, plan)]
  try {
    return await issuer.call<BookRecord>('POST', path, request)
  } catch (error) {
    if (!(error instanceof DemoRefusedError) || error.code !== 'CUSTODY_SETUP_REQUIRED') throw error
    const { steps } = error.extra.setup as { steps: SetupStep[] }
    const mined = await signing.sendAll(
      issuer.account,
      steps.map(({ to, data }) => ({ to, data })),
    )
    const custodySetupTxs = Object.fromEntries(steps.map(({ key }, index) => [key, mined[index]?.hash]))
    return issuer.call<BookRecord>('POST', path, { ...request, custodySetupTxs })
  }
}

const lostSigns = new Set(['BASE_TOKEN_NOT_SUPPORTED', 'SECURITY_NOT_REGISTERED'])

/** Whether the chain came back without what the book stands on. */
async function isLost({ issuer }: TradingStage, plan: BookPlan, { id }: BookRecord): Promise<boolean> {
  if (plan.custody === 'ledger') return false
  const path = `${prefixOf(plan)}/order-books/${id}/readiness`
  const { issues } = await issuer.call<{ issues: { code: string }[] }>('GET', path)
  return issues.some(({ code }) => lostSigns.has(code))
}

async function ensureBook(stage: TradingStage, plan: BookPlan): Promise<BookRecord> {
  const known = await findBook(stage, plan)
  if (known && !(await isLost(stage, plan, known))) return known
  // Its orders count on deposits that are gone: another one takes its place.
  if (known) await stage.issuer.call('PATCH', `${prefixOf(plan)}/order-books/${known.id}`, { status: 'CLOSED' })
  return createBook(stage, plan)
}

/** The trader trades on books of the issuer platform. */
async function ensureImport({ traders }: TradingStage, plan: BookPlan, { id }: BookRecord): Promise<void> {
  if (plan.custody === 'ledger') return
  const { call } = traders.trader
  const records = await call<BookRecord[]>('GET', `${prefixOf(plan)}/order-books`)
  if (!records.some((one) => one.id === id)) await call('POST', `${prefixOf(plan)}/imports`, { orderBookId: id })
}

/** All books, written into the world. Those that somebody paused are left alone, and left out here. */
export async function ensureBooks(stage: TradingStage): Promise<DemoBook[]> {
  const found = await Promise.all(
    bookPlans.map(async (plan) => {
      const record = await ensureBook(stage, plan)
      await ensureImport(stage, plan, record)
      return { plan, record }
    }),
  )
  for (const { plan, record } of found)
    stage.world.orderBooks[plan.label] = { instance: 'issuer', class: plan.class, orderBookId: record.id }
  return found.filter(({ record }) => record.status === 'ACTIVE').map(({ plan, record }) => asBook(plan, record))
}

/** Those that are active, by the ids in the world: for whoever looks again and again. */
export async function findBooks({ issuer, world }: TradingStage): Promise<DemoBook[]> {
  const found = await Promise.all(
    bookPlans.map(async (plan) => {
      const known = world.orderBooks[plan.label]
      if (!known) return []
      const record = await issuer.call<BookRecord>('GET', `${prefixOf(plan)}/order-books/${known.orderBookId}`)
      return record.status === 'ACTIVE' ? [asBook(plan, record)] : []
    }),
  )
  return found.flat()
}

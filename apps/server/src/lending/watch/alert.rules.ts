import { formatUnits } from '../../platform/amounts.rules.ts'
import { debtOf, isOpen, type LoanOnChain, shownHealth } from '../loans/index.rules.ts'
import type { ActiveHook, OrphanedFact, Seizure, TrackedShortfall } from './alerts.store.ts'

/** Something to tell a hook. Amounts and ids are strings: the body is JSON. */
export interface HookEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The block whose state is told of. */
interface ToldBlock {
  readonly number: bigint
  readonly time: number
}

/** A loan as the market answered it; null: it did not. */
export interface WatchedLoan {
  readonly loanId: string
  readonly loan: LoanOnChain | null
  /** 1e18 is the border. */
  readonly health: bigint | null
}

/** What the chain said of a market at one block. */
export interface WatchedMarket {
  readonly block: ToldBlock
  readonly loans: readonly WatchedLoan[]
  /** When the stored price was given; null: the oracle did not answer. */
  readonly priceUpdatedAt: bigint | null
}

export interface Found {
  readonly holds: Map<string, HookEvent>
  readonly unknown: Set<string>
}

const placeOf = ({ chainId, market }: ActiveHook, block: ToldBlock) => ({
  chainId: Number(chainId),
  marketAddress: market,
  blockNumber: block.number.toString(),
  chainTime: block.time,
})

function loanEvent(hook: ActiveHook, { loanId, loan }: { loanId: string; loan: LoanOnChain }, block: ToldBlock) {
  return {
    ...placeOf(hook, block),
    loanId,
    borrower: loan.borrower.toLowerCase(),
    debt: formatUnits(debtOf(loan), hook.borrowDecimals),
    collateral: formatUnits(loan.collateral, hook.collateralDecimals),
  }
}

/** One rule over all loans of a market. */
function overLoans(
  { loans }: WatchedMarket,
  rule: (loan: LoanOnChain, health: bigint | null, loanId: string) => HookEvent | null | 'unknown',
): Found {
  const holds = new Map<string, HookEvent>()
  const unknown = new Set<string>()
  for (const { loanId, loan, health } of loans) {
    const verdict = loan === null ? 'unknown' : isOpen(loan) ? rule(loan, health, loanId) : null
    if (verdict === 'unknown') unknown.add(loanId)
    else if (verdict) holds.set(loanId, verdict)
  }
  return { holds, unknown }
}

export function unhealthyLoans(hook: ActiveHook, market: WatchedMarket): Found {
  const threshold = hook.threshold ?? 0n
  return overLoans(market, (loan, health, loanId) => {
    if (debtOf(loan) === 0n) return null
    if (health === null) return 'unknown'
    if (health >= threshold) return null
    const figures = { healthFactor: shownHealth(health), threshold: shownHealth(threshold) }
    return { type: 'loan.health_below', data: { ...loanEvent(hook, { loanId, loan }, market.block), ...figures } }
  })
}

export function loansDueSoon(hook: ActiveHook, market: WatchedMarket): Found {
  const seconds = hook.threshold ?? 0n
  return overLoans(market, (loan, _health, loanId) => {
    if (loan.dueAt === 0n || debtOf(loan) === 0n) return null
    const left = loan.effectiveDueAt - BigInt(market.block.time)
    if (left > seconds) return null
    const figures = { dueAt: Number(loan.effectiveDueAt), secondsLeft: Number(left), seconds: Number(seconds) }
    return { type: 'loan.due_within', data: { ...loanEvent(hook, { loanId, loan }, market.block), ...figures } }
  })
}

const PRICE = 'price'

export function agedPrice(hook: ActiveHook, { block, priceUpdatedAt }: WatchedMarket): Found {
  if (priceUpdatedAt === null) return { holds: new Map(), unknown: new Set([PRICE]) }
  const age = BigInt(block.time) - priceUpdatedAt
  const seconds = hook.threshold ?? 0n
  if (age <= seconds) return { holds: new Map(), unknown: new Set() }
  const data = {
    ...placeOf(hook, block),
    oracleAddress: hook.oracle,
    priceUpdatedAt: Number(priceUpdatedAt),
    ageSeconds: Number(age),
    seconds: Number(seconds),
  }
  return { holds: new Map([[PRICE, { type: 'price.older_than', data }]]), unknown: new Set() }
}

function shortfallData(hook: ActiveHook, row: TrackedShortfall, block: ToldBlock) {
  const amount = (raw: bigint) => formatUnits(raw, hook.collateralDecimals)
  return {
    ...placeOf(hook, block),
    shortfallId: row.shortfallId,
    adapterAddress: hook.adapter,
    tokenAddress: row.token,
    holder: row.holder,
    expected: amount(row.expected),
    found: amount(row.found),
    missing: amount(row.expected - row.found),
    pledged: amount(row.pledged),
    noticedAt: row.noticedAt.toISOString(),
  }
}

export const shortfallEvent = (hook: ActiveHook, row: TrackedShortfall, block: ToldBlock): HookEvent => ({
  type: 'lien.shortfall',
  data: shortfallData(hook, row, block),
})

/** `undone`: a reorganization took it away, so it never was. */
export const healedEvent = (hook: ActiveHook, row: TrackedShortfall, block: ToldBlock): HookEvent => ({
  type: 'lien.healed',
  data: { ...shortfallData(hook, row, block), undone: row.undone },
})

export function seizedEvent(hook: ActiveHook, row: Seizure): HookEvent {
  const data = {
    chainId: Number(hook.chainId),
    marketAddress: hook.market,
    blockNumber: row.blockNumber.toString(),
    chainTime: Number(row.blockTime),
    txHash: row.txHash,
    loanId: row.loanId,
    marketLiquidationId: row.realizationId,
    destination: row.destination,
    collateral: formatUnits(BigInt(row.collateral), hook.collateralDecimals),
    claim: formatUnits(BigInt(row.claim), hook.borrowDecimals),
    totalDebt: formatUnits(BigInt(row.totalDebt), hook.borrowDecimals),
    isTerm: row.isTerm,
  }
  return { type: 'loan.seized', data }
}

export function orphanedEvent(hook: ActiveHook, rows: readonly OrphanedFact[]): HookEvent {
  const facts = rows.map(({ contract, operation, txHash, noticedAt }) => ({
    contract,
    operation,
    txHash,
    noticedAt: noticedAt.toISOString(),
  }))
  return { type: 'fact.orphaned', data: { chainId: Number(hook.chainId), marketAddress: hook.market, facts } }
}

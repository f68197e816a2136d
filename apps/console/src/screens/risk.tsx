import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Market,
  type OpenLoans,
  readOf,
  useAssetData,
  useInsurance,
  useMarkets,
  useOpenLoans,
} from '../api/lending.ts'
import { add, compare, type Decimal, divide, fromInteger, parseDecimal, plainDecimal } from '../lib/decimal.ts'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Address, Amount, AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead, Panel, Stat, Stats } from '../ui/panel.tsx'
import type { Column } from '../ui/table.tsx'
import { shifted } from './amounts.ts'
import { AssetData, AssetDataBadge } from './asset-data.tsx'
import { Health } from './health.tsx'
import { type LoanRow, rowOfOpenLoan } from './loan-row.ts'
import { LoansTable } from './loans-table.tsx'
import { nameOf, pairOf } from './market-state.tsx'
import { UnreadMarkets } from './unread-markets.tsx'

const text = t.risk
const ONE = fromInteger(1n)
const NONE = fromInteger(0n)

function shocked({ health }: LoanRow, bps: number): Decimal | undefined {
  const now = health === null ? undefined : parseDecimal(health)
  return now ? shifted(now, bps) : undefined
}

const debtOf = ({ principal, interest }: LoanRow): Decimal =>
  add(parseDecimal(principal) ?? NONE, parseDecimal(interest) ?? NONE)

/** Sums per asset: dollars and gold are not added up. */
function sums(loans: readonly LoanRow[], keyOf: (one: LoanRow) => string): readonly (readonly [string, Decimal])[] {
  const found = new Map<string, Decimal>()
  for (const one of loans) found.set(keyOf(one), add(found.get(keyOf(one)) ?? NONE, debtOf(one)))
  return [...found].sort(([, a], [, b]) => compare(b, a))
}

const assetOf = ({ debtUnit }: LoanRow) => debtUnit

const Sums = ({ of }: { of: readonly (readonly [string, Decimal])[] }) =>
  of.length === 0 ? (
    <Amount value="0" />
  ) : (
    of.map(([unit, value]) => (
      <span key={unit} className="block">
        <Amount value={plainDecimal(value)} unit={unit} />
      </span>
    ))
  )

export function Risk() {
  const markets = useMarkets()
  const open = useOpenLoans()
  return (
    <>
      <PageHead title={text.title} about={text.about} aside={<AsOf metadata={markets.data?.metadata} />} />
      <Loaded query={markets} rows={8}>
        {({ data }) => (
          <Loaded query={open} rows={8}>
            {(found) => <Board markets={data.markets} found={found} />}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

function Board({ markets, found }: { markets: readonly Market[]; found: OpenLoans }) {
  const [bps, setBps] = useState(0)
  const loans = found.loans.map((loan) => rowOfOpenLoan(markets, loan))
  const under = loans.filter((one) => {
    const health = shocked(one, bps)
    return health !== undefined && compare(health, ONE) < 0
  })
  const due = loans.flatMap(({ dueAt }) => dueAt ?? []).sort()
  const [largest] = sums(loans, ({ borrower }) => borrower)
  const after: Column<LoanRow> = {
    key: 'after',
    name: text.after,
    number: true,
    cell: (one) => {
      const health = shocked(one, bps)
      return <Health value={health ? plainDecimal(health) : null} />
    },
    csv: (one) => {
      const health = shocked(one, bps)
      return health ? plainDecimal(health) : ''
    },
    sortBy: ({ health }) => Number(health ?? Number.MAX_VALUE),
  }
  return (
    <div className="space-y-4">
      <UnreadMarkets of={found.unreadMarkets} />
      <Stats>
        <Stat name={text.loans}>
          <span className="num">{found.total}</span>
        </Stat>
        <Stat name={text.debt}>
          <Sums of={sums(loans, assetOf)} />
        </Stat>
        <Stat name={text.under}>
          <span className={`num ${under.length > 0 ? 'text-bad' : ''}`}>{under.length}</span>
        </Stat>
        <Stat name={text.shortfall}>
          <Sums of={sums(under, assetOf)} />
        </Stat>
        <Stat name={text.nextDue} note={<When at={due[0]} as="distance" />}>
          <When at={due[0]} as="day" />
        </Stat>
        <Stat name={text.largest}>{largest ? <Address value={largest[0]} /> : '–'}</Stat>
      </Stats>
      <Panel title={text.shock}>
        <label className="flex flex-wrap items-center gap-4">
          <span className="text-sm text-muted">{text.shockAbout}</span>
          <input
            type="range"
            min={-9000}
            max={5000}
            step={100}
            value={bps}
            onChange={(event) => setBps(Number(event.target.value))}
            className="min-w-52 flex-1"
          />
          <span className="num w-16 text-right text-lg font-medium">
            {bps > 0 ? '+' : ''}
            {`${bps / 100} %`.replace('-', '−')}
          </span>
        </label>
      </Panel>
      <LoansTable
        across
        title={text.table}
        loans={loans}
        besideHealth={[after]}
        empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
      />
      <div className="grid gap-4 lg:grid-cols-3">
        <Concentration loans={loans} />
        <Insurance markets={markets} />
        <AllAssetData markets={markets} />
      </div>
    </div>
  )
}

function Concentration({ loans }: { loans: readonly LoanRow[] }) {
  const of = sums(loans, ({ marketName }) => marketName)
  const total = of.reduce((sum, [, value]) => add(sum, value), NONE)
  return (
    <Panel title={text.concentration}>
      {of.length === 0 ? <p className="text-sm text-muted">{text.empty}</p> : null}
      <ul className="space-y-3">
        {of.map(([name, value]) => {
          const share = total.units === 0n ? 0 : Number(divide(value, total, 4).units) / 100
          return (
            <li key={name}>
              <div className="flex justify-between gap-3 text-sm">
                <span className="truncate">{name}</span>
                <span className="num text-muted">{share.toFixed(1)} %</span>
              </div>
              <div className="mt-1 h-1.5 overflow-hidden rounded-full bg-raised">
                <div className="h-full rounded-full bg-accent" style={{ width: `${share}%` }} />
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

const MarketLink = ({ market }: { market: Market }) => (
  <Link to="/markets/$marketId" params={{ marketId: market.id }} className="wrap-anywhere hover:underline">
    {pairOf(market)}
  </Link>
)

function Insurance({ markets }: { markets: readonly Market[] }) {
  const answers = useInsurance(markets.filter((market) => readOf(market)))
  return (
    <Panel title={text.insurance}>
      <Facts>
        {answers.map(({ query, market }) => (
          <Fact key={market.id} name={<MarketLink market={market} />}>
            <Amount value={query.data?.data.stats.currentBalance} unit={query.data?.data.asset.symbol} />
          </Fact>
        ))}
      </Facts>
    </Panel>
  )
}

function AllAssetData({ markets }: { markets: readonly Market[] }) {
  const answers = useAssetData(markets)
  const [opened, open] = useState<string>()
  const chosen = markets.find(({ id }) => id === opened)
  return (
    <Panel title={text.assetData}>
      <Facts>
        {answers.map(({ query, market }) => {
          const status = query.data?.data.status ?? undefined
          return (
            <Fact key={market.id} name={<MarketLink market={market} />}>
              <span className="inline-flex items-center gap-2">
                {status === undefined ? '–' : <AssetDataBadge status={status} />}
                <Button
                  small
                  aria-label={`${t.assetData.open} ${nameOf(market)}`}
                  disabled={status === undefined}
                  onClick={() => open(market.id)}
                >
                  {t.open}
                </Button>
              </span>
            </Fact>
          )
        })}
      </Facts>
      {chosen ? (
        <Dialog title={t.assetData.title} about={nameOf(chosen)} onClose={() => open(undefined)}>
          <div className="max-h-[80vh] overflow-y-auto p-5">
            <AssetData market={chosen} stacked />
          </div>
        </Dialog>
      ) : null}
    </Panel>
  )
}

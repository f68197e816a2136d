import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listTransactions } from '../api/access.ts'
import { type Market, readOf, useAllPositions, useMarkets } from '../api/lending.ts'
import { useSignedIn } from '../api/session.ts'
import { type Need, needsOf } from '../lib/needs.ts'
import { t } from '../texts/index.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { LoansTable, type MarketLoan } from './loans-table.tsx'
import { nameOf, pairOf } from './market-state.tsx'

const TONES: Record<Need['urgency'], Tone> = { now: 'bad', soon: 'warn' }

/** Where something can be done about it. */
function Target({ need }: { need: Need }) {
  const { marketId, loanId, title } = need
  const look = 'font-medium hover:underline'
  if (marketId && loanId)
    return (
      <Link className={look} to="/markets/$marketId/loans/$loanId" params={{ marketId, loanId }}>
        {title}
      </Link>
    )
  if (marketId)
    return (
      <Link className={look} to="/markets/$marketId" params={{ marketId }}>
        {title}
      </Link>
    )
  return (
    <Link className={look} to="/transactions">
      {title}
    </Link>
  )
}

const columns: readonly Column<Need>[] = [
  { key: 'what', name: t.home.columns.what, cell: (need) => <Target need={need} />, csv: ({ title }) => title },
  {
    key: 'kind',
    name: t.home.columns.kind,
    wide: true,
    cell: ({ kind }) => <span className="text-muted">{t.home.kinds[kind] ?? kind}</span>,
    csv: ({ kind }) => kind,
  },
  {
    key: 'urgency',
    name: t.home.columns.urgency,
    cell: ({ urgency }) => <Badge tone={TONES[urgency]}>{t.home.urgency[urgency]}</Badge>,
    csv: ({ urgency }) => urgency,
  },
  {
    key: 'due',
    name: t.home.columns.due,
    number: true,
    cell: ({ due }) => <When at={due} as="distance" />,
    csv: ({ due }) => (due === null ? '' : new Date(due * 1_000).toISOString()),
    sortBy: ({ due }) => due ?? '',
  },
]

/** So many are read at a glance; Risk has them all. */
const FEW = 5

interface Seen {
  readonly loans: readonly MarketLoan[]
  readonly markets: readonly Market[]
}

function Closest({ loans }: Pick<Seen, 'loans'>) {
  const closest = loans.filter(({ loan }) => loan.healthFactor !== null)
  return (
    <LoansTable
      across
      title={t.home.closest}
      loans={closest.toSorted((a, b) => Number(a.loan.healthFactor) - Number(b.loan.healthFactor)).slice(0, FEW)}
      empty={<Empty title={t.risk.empty}>{t.risk.emptyAbout}</Empty>}
      aside={
        <Link to="/risk" className="text-xs text-accent hover:underline">
          {t.home.all}
        </Link>
      }
    />
  )
}

function Needs({ loans, markets }: Seen) {
  const built = useQuery({
    queryKey: ['transactions', 'to sign'],
    queryFn: () => listTransactions(),
    refetchInterval: 15_000,
  })
  const needs = needsOf(
    loans.map(({ market, loan }) => ({
      marketId: market.id,
      market: pairOf(market),
      loanId: loan.onChainLoanId,
      health: loan.healthFactor,
      dueAt: loan.term?.effectiveDueAt ?? loan.dueAt,
    })),
    markets.map((market) => ({
      marketId: market.id,
      market: nameOf(market),
      isStale: readOf(market)?.isStale === true,
    })),
    built.data?.transactions ?? [],
    Date.now(),
  )
  return (
    <Table
      title={t.home.needs}
      rows={needs}
      columns={columns}
      rowKey={({ kind, id }) => `${kind}-${id}`}
      empty={<Empty title={t.home.empty}>{t.home.emptyAbout}</Empty>}
    />
  )
}

function Overview({ markets }: Pick<Seen, 'markets'>) {
  const loans = useAllPositions(markets)
    .flatMap(({ query, market }) => (query.data?.data.positions ?? []).map((loan) => ({ market, loan })))
    .filter(({ loan }) => loan.status === 'ACTIVE')
  return (
    <>
      <Needs loans={loans} markets={markets} />
      <AtAGlance markets={markets} />
      <Closest loans={loans} />
    </>
  )
}

function AtAGlance({ markets }: Pick<Seen, 'markets'>) {
  const read = markets.flatMap((market) => readOf(market) ?? [])
  const loans = read.reduce((sum, { activeLoans }) => sum + Number(activeLoans), 0)
  return (
    <section aria-label={t.home.lending}>
      <h2 className="mb-2 text-sm font-medium">{t.home.lending}</h2>
      <Stats>
        <Stat name={t.home.markets}>
          <Link to="/markets" className="num hover:underline">
            {markets.length}
          </Link>
        </Stat>
        <Stat name={t.home.loans}>
          <Link to="/risk" className="num hover:underline">
            {loans}
          </Link>
        </Stat>
        <Stat name={t.home.stale}>
          <span className="num">{read.filter(({ isStale }) => isStale).length}</span>
        </Stat>
        <Stat name={t.home.paused}>
          <span className="num">{read.filter(({ paused }) => paused).length}</span>
        </Stat>
      </Stats>
    </section>
  )
}

export function Home() {
  const { name } = useSignedIn()
  const markets = useMarkets()
  return (
    <>
      <PageHead
        title={t.home.title}
        about={`${name}. ${t.home.about}`}
        aside={<AsOf metadata={markets.data?.metadata} />}
      />
      <div className="space-y-4">
        <Loaded query={markets}>{({ data }) => <Overview markets={data.markets} />}</Loaded>
      </div>
    </>
  )
}

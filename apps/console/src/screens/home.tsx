import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getInbox, type InboxItem } from '../api/access.ts'
import { isCode } from '../api/client.ts'
import { type Market, readOf, useAllPositions, useMarkets } from '../api/lending.ts'
import { useSignedIn } from '../api/session.ts'
import { t } from '../texts/index.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { LoansTable } from './loans-table.tsx'

const TONES: Record<InboxItem['urgency'], Tone> = { now: 'bad', soon: 'warn', info: 'neutral' }

/** Where something can be done about it. */
function Target({ item }: { item: InboxItem }) {
  const { link, title } = item
  const look = 'font-medium hover:underline'
  if (link.kind === 'loan' && link.marketId)
    return (
      <Link
        className={look}
        to="/markets/$marketId/loans/$loanId"
        params={{ marketId: link.marketId, loanId: link.id }}
      >
        {title}
      </Link>
    )
  if (link.kind === 'market')
    return (
      <Link className={look} to="/markets/$marketId" params={{ marketId: link.id }}>
        {title}
      </Link>
    )
  if (link.kind === 'transaction')
    return (
      <Link className={look} to="/transactions">
        {title}
      </Link>
    )
  return <span className="font-medium">{title}</span>
}

const columns: readonly Column<InboxItem>[] = [
  { key: 'what', name: t.home.columns.what, cell: (item) => <Target item={item} />, csv: ({ title }) => title },
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
    csv: ({ due }) => due ?? '',
    sortBy: ({ due }) => due ?? '',
  },
]

/** So many are read at a glance; Risk has them all. */
const FEW = 5

function Closest({ markets }: { markets: readonly Market[] }) {
  const loans = useAllPositions(markets)
    .flatMap(({ query, market }) => (query.data?.data.positions ?? []).map((loan) => ({ market, loan })))
    .filter(({ loan }) => loan.status === 'ACTIVE' && loan.healthFactor !== null)
    .toSorted((a, b) => Number(a.loan.healthFactor) - Number(b.loan.healthFactor))
  return (
    <LoansTable
      across
      title={t.home.closest}
      loans={loans.slice(0, FEW)}
      empty={<Empty title={t.risk.empty}>{t.risk.emptyAbout}</Empty>}
      aside={
        <Link to="/risk" className="text-xs text-accent hover:underline">
          {t.home.all}
        </Link>
      }
    />
  )
}

export function Home() {
  const { name } = useSignedIn()
  const inbox = useQuery({ queryKey: ['inbox'], queryFn: getInbox, refetchInterval: 15_000 })
  const markets = useMarkets()
  return (
    <>
      <PageHead
        title={t.home.title}
        about={`${name}. ${t.home.about}`}
        aside={<AsOf metadata={markets.data?.metadata} />}
      />
      <div className="space-y-4">
        {isCode(inbox.error, 'ROUTE_NOT_FOUND') ? null : (
          <Loaded query={inbox}>
            {({ items }) => (
              <Table
                title={t.home.needs}
                rows={items}
                columns={columns}
                rowKey={({ kind, id }) => `${kind}-${id}`}
                empty={<Empty title={t.home.empty}>{t.home.emptyAbout}</Empty>}
              />
            )}
          </Loaded>
        )}
        <section aria-label={t.home.lending}>
          <h2 className="mb-2 text-sm font-medium">{t.home.lending}</h2>
          <Loaded query={markets} rows={1}>
            {({ data }) => {
              const read = data.markets.flatMap((market) => readOf(market) ?? [])
              const loans = read.reduce((sum, { activeLoans }) => sum + Number(activeLoans), 0)
              return (
                <Stats>
                  <Stat name={t.home.markets}>
                    <Link to="/markets" className="num hover:underline">
                      {data.markets.length}
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
              )
            }}
          </Loaded>
        </section>
        {markets.data ? <Closest markets={markets.data.data.markets} /> : null}
      </div>
    </>
  )
}

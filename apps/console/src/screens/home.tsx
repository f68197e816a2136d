import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Need, useInbox } from '../api/inbox.ts'
import { type Market, readOf, useMarkets, useOpenLoans } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Health } from './health.tsx'
import { rowOfOpenLoan } from './loan-row.ts'
import { LoansTable } from './loans-table.tsx'
import { pairOf } from './market-state.tsx'
import { UnreadMarkets } from './unread-markets.tsx'

const TONES: Record<Need['urgency'], Tone> = { NOW: 'bad', SOON: 'warn' }

/** Several markets have the same pair: what they do with the collateral tells them apart. */
function titleOf({ kind, id, label, marketId }: Need, markets: readonly Market[]): string {
  const market = markets.find((one) => one.id === marketId)
  const name = market ? pairOf(market) : label
  return kind === 'LOAN_NEAR_LIQUIDATION' || kind === 'LOAN_DUE'
    ? `${t.loans.of} ${id}, ${name}`
    : kind === 'MARKET_UNREADABLE' || kind === 'PRICE_STALE'
      ? name
      : label
}

/** Where something can be done about it. */
function Target({ need, title }: { need: Need; title: string }) {
  const look = 'font-medium hover:underline'
  const { kind, id, marketId, walletAddress } = need
  const links: Record<Need['kind'], () => ReactNode> = {
    LOAN_NEAR_LIQUIDATION: loan,
    LOAN_DUE: loan,
    MARKET_UNREADABLE: market,
    PRICE_STALE: market,
    SETTLEMENT_WAITING: () => (
      <Link className={look} to="/trade">
        {title}
      </Link>
    ),
    RFQ_OPEN: () => (
      <Link className={look} to="/rfq">
        {title}
      </Link>
    ),
    CLAIM_EXPIRING: () => (
      <Link className={look} to="/investors/$walletAddress" params={{ walletAddress: walletAddress ?? id }}>
        {title}
      </Link>
    ),
    TRANSACTION_UNDONE: transactions,
    TRANSACTION_TO_APPROVE: transactions,
    TRANSACTION_TO_SIGN: transactions,
    TRANSACTION_UNPROVEN: transactions,
  }
  function loan() {
    return (
      <Link className={look} to="/markets/$marketId/loans/$loanId" params={{ marketId: marketId ?? '', loanId: id }}>
        {title}
      </Link>
    )
  }
  function market() {
    return (
      <Link className={look} to="/markets/$marketId" params={{ marketId: marketId ?? id }}>
        {title}
      </Link>
    )
  }
  function transactions() {
    return (
      <Link className={look} to="/transactions">
        {title}
      </Link>
    )
  }
  return links[kind]()
}

const columnsOf = (markets: readonly Market[]): readonly Column<Need>[] => [
  {
    key: 'what',
    name: t.home.columns.what,
    cell: (need) => <Target need={need} title={titleOf(need, markets)} />,
    csv: (need) => titleOf(need, markets),
  },
  {
    key: 'kind',
    name: t.home.columns.kind,
    wide: true,
    cell: ({ kind }) => <span className="text-muted">{t.home.kinds[kind]}</span>,
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
    // A loan at risk is at risk now, whenever it is due.
    cell: ({ kind, dueAt, healthFactor }) =>
      kind === 'LOAN_NEAR_LIQUIDATION' ? <Health value={healthFactor} /> : <When at={dueAt} as="distance" />,
    csv: ({ dueAt }) => dueAt ?? '',
    sortBy: ({ dueAt }) => dueAt ?? '',
  },
]

/** So many are read at a glance; Risk has them all. */
const FEW = 5

function Closest({ markets }: { markets: readonly Market[] }) {
  return (
    <Loaded query={useOpenLoans()}>
      {({ loans, unreadMarkets }) => (
        <>
          <UnreadMarkets of={unreadMarkets} />
          <LoansTable
            across
            title={t.home.closest}
            loans={loans
              .filter(({ healthFactor }) => healthFactor !== null)
              .slice(0, FEW)
              .map((loan) => rowOfOpenLoan(markets, loan))}
            empty={<Empty title={t.risk.empty}>{t.risk.emptyAbout}</Empty>}
            aside={
              <Link to="/risk" className="text-xs text-accent hover:underline">
                {t.home.all}
              </Link>
            }
          />
        </>
      )}
    </Loaded>
  )
}

function Needs({ markets }: { markets: readonly Market[] }) {
  return (
    <Loaded query={useInbox()}>
      {({ data }) => (
        <>
          {data.unread.length > 0 ? <p className="text-sm text-warn">{t.home.unread}</p> : null}
          <Table
            title={t.home.needs}
            rows={data.needs}
            columns={columnsOf(markets)}
            rowKey={({ kind, id, marketId, walletAddress }) => `${kind}-${marketId}-${walletAddress}-${id}`}
            empty={<Empty title={t.home.empty}>{t.home.emptyAbout}</Empty>}
          />
          {data.hasMore ? (
            <p className="text-sm text-muted">{t.home.more(data.needs.length, data.counts.total)}</p>
          ) : null}
        </>
      )}
    </Loaded>
  )
}

function AtAGlance({ markets }: { markets: readonly Market[] }) {
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
  const markets = useMarkets()
  return (
    <>
      <PageHead title={t.home.title} about={t.home.about} aside={<AsOf metadata={markets.data?.metadata} />} />
      <div className="space-y-4">
        <Needs markets={markets.data?.data.markets ?? []} />
        <Loaded query={markets}>
          {({ data }) => (
            <>
              <AtAGlance markets={data.markets} />
              <Closest markets={data.markets} />
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

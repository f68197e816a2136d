import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Market, Position } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Address, Amount, When } from '../ui/figures.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Health } from './health.tsx'
import { nameOf, pairOf } from './market-state.tsx'

export interface MarketLoan {
  readonly market: Market
  readonly loan: Position
}

const text = t.loans.columns

export function LoanState({ loan }: { loan: Position }) {
  const isOverdue = loan.status === 'ACTIVE' && loan.term?.enforceable === true
  return (
    <span className="inline-flex gap-1">
      {loan.inAuction ? <Badge tone="warn">{t.loans.inAuction}</Badge> : null}
      {isOverdue ? <Badge tone="bad">{t.loans.overdue}</Badge> : null}
      {loan.collateralIntact ? null : <Badge tone="bad">{t.loans.notIntact}</Badge>}
      {loan.inAuction || isOverdue ? null : (
        <Badge tone={loan.status === 'ACTIVE' ? 'accent' : loan.status === 'REPAID' ? 'good' : 'neutral'}>
          {t.loans.status[loan.status]}
        </Badge>
      )}
    </span>
  )
}

const COLUMNS: readonly Column<MarketLoan>[] = [
  {
    key: 'loan',
    name: text.loan,
    cell: ({ market, loan }) => (
      <Link
        className="font-medium whitespace-nowrap hover:underline"
        to="/markets/$marketId/loans/$loanId"
        params={{ marketId: market.id, loanId: loan.onChainLoanId }}
      >
        {t.loans.of} {loan.onChainLoanId}
      </Link>
    ),
    csv: ({ loan }) => loan.onChainLoanId,
    sortBy: ({ loan }) => Number(loan.onChainLoanId),
  },
  {
    key: 'borrower',
    name: text.borrower,
    wide: true,
    cell: ({ loan }) => <Address value={loan.userAddress} />,
    csv: ({ loan }) => loan.userAddress,
  },
  {
    key: 'collateral',
    name: text.collateral,
    number: true,
    wide: true,
    cell: ({ market, loan }) => <Amount value={loan.collateralAmount} unit={market.collateralTokenSymbol} />,
    csv: ({ loan }) => loan.collateralAmount,
    sortBy: ({ loan }) => Number(loan.collateralAmount),
  },
  {
    key: 'debt',
    name: text.debt,
    number: true,
    cell: ({ market, loan }) => <Amount value={loan.borrowedAmount} unit={market.borrowAssetSymbol} />,
    csv: ({ loan }) => loan.borrowedAmount,
    sortBy: ({ loan }) => Number(loan.borrowedAmount),
  },
  {
    key: 'health',
    name: text.health,
    number: true,
    cell: ({ loan }) => <Health value={loan.healthFactor} />,
    csv: ({ loan }) => loan.healthFactor ?? '',
    sortBy: ({ loan }) => (loan.healthFactor === null ? Number.MAX_VALUE : Number(loan.healthFactor)),
  },
  {
    key: 'due',
    name: text.due,
    wide: true,
    cell: ({ loan }) =>
      loan.status === 'ACTIVE' ? (
        <When at={loan.term?.effectiveDueAt ?? loan.dueAt} as="day" />
      ) : (
        <span className="text-muted">–</span>
      ),
    csv: ({ loan }) => (loan.dueAt === null ? '' : new Date(loan.dueAt * 1000).toISOString()),
    sortBy: ({ loan }) => loan.dueAt ?? Number.MAX_VALUE,
  },
  {
    key: 'status',
    name: text.status,
    wide: true,
    cell: ({ loan }) => <LoanState loan={loan} />,
    csv: ({ loan }) => loan.status,
  },
]

const MARKET: Column<MarketLoan> = {
  key: 'market',
  name: text.market,
  wide: true,
  cell: ({ market }) => (
    <span className="whitespace-nowrap text-muted" title={nameOf(market)}>
      {pairOf(market)}
    </span>
  ),
  csv: ({ market }) => `${nameOf(market)} ${pairOf(market)}`,
  sortBy: ({ market }) => pairOf(market),
}

interface Props {
  readonly title: string
  readonly loans: readonly MarketLoan[]
  readonly empty: ReactNode
  readonly across?: boolean
  readonly more?: readonly Column<MarketLoan>[]
  readonly aside?: ReactNode
}

export function LoansTable({ title, loans, empty, across = false, more = [], aside }: Props) {
  const navigate = useNavigate()
  const [first, ...rest] = COLUMNS
  const columns = [...(first ? [first] : []), ...(across ? [MARKET] : []), ...rest, ...more]
  return (
    <Table
      title={title}
      rows={loans}
      columns={columns}
      rowKey={({ market, loan }) => `${market.id}-${loan.id}`}
      onOpen={({ market, loan }) =>
        void navigate({
          to: '/markets/$marketId/loans/$loanId',
          params: { marketId: market.id, loanId: loan.onChainLoanId },
        })
      }
      empty={empty}
      aside={aside}
    />
  )
}

import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Address, Amount, When } from '../ui/figures.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Health } from './health.tsx'
import type { LoanRow } from './loan-row.ts'

const text = t.loans.columns

function LoanState({ loan }: { loan: LoanRow }) {
  return (
    <span className="inline-flex gap-1">
      {loan.inAuction ? <Badge tone="warn">{t.loans.inAuction}</Badge> : null}
      {loan.isOverdue ? <Badge tone="bad">{t.loans.overdue}</Badge> : null}
      {loan.isIntact ? null : <Badge tone="bad">{t.loans.notIntact}</Badge>}
      {loan.inAuction || loan.isOverdue ? null : (
        <Badge tone={loan.status === 'ACTIVE' ? 'accent' : loan.status === 'REPAID' ? 'good' : 'neutral'}>
          {t.loans.status[loan.status]}
        </Badge>
      )}
    </span>
  )
}

const COLUMNS: readonly Column<LoanRow>[] = [
  {
    key: 'loan',
    name: text.loan,
    cell: ({ marketId, loanId }) => (
      <Link
        className="font-medium whitespace-nowrap hover:underline"
        to="/markets/$marketId/loans/$loanId"
        params={{ marketId, loanId }}
      >
        {t.loans.of} {loanId}
      </Link>
    ),
    csv: ({ loanId }) => loanId,
    sortBy: ({ loanId }) => Number(loanId),
  },
  {
    key: 'borrower',
    name: text.borrower,
    wide: true,
    cell: ({ borrower }) => <Address value={borrower} />,
    csv: ({ borrower }) => borrower,
  },
  {
    key: 'collateral',
    name: text.collateral,
    number: true,
    wide: true,
    cell: ({ collateral, collateralUnit }) => <Amount value={collateral} unit={collateralUnit} />,
    csv: ({ collateral }) => collateral,
    sortBy: ({ collateral }) => Number(collateral),
  },
  {
    key: 'debt',
    name: text.debt,
    number: true,
    cell: ({ principal, debtUnit }) => <Amount value={principal} unit={debtUnit} />,
    csv: ({ principal }) => principal,
    sortBy: ({ principal }) => Number(principal),
  },
  {
    key: 'health',
    name: text.health,
    number: true,
    cell: ({ health }) => <Health value={health} />,
    csv: ({ health }) => health ?? '',
    sortBy: ({ health }) => (health === null ? Number.MAX_VALUE : Number(health)),
  },
  {
    key: 'due',
    name: text.due,
    wide: true,
    cell: ({ dueAt }) => <When at={dueAt} as="day" />,
    csv: ({ dueAt }) => dueAt ?? '',
    sortBy: ({ dueAt }) => (dueAt === null ? Number.MAX_VALUE : Date.parse(dueAt)),
  },
  {
    key: 'status',
    name: text.status,
    wide: true,
    cell: (loan) => <LoanState loan={loan} />,
    csv: ({ status }) => status,
  },
]

/** Where there is no room for a column of its own. */
const withMarket = (column: Column<LoanRow>): Column<LoanRow> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)}
      <span className="block text-xs text-muted md:hidden">{row.pair}</span>
    </>
  ),
})

const MARKET: Column<LoanRow> = {
  key: 'market',
  name: text.market,
  wide: true,
  cell: ({ pair, marketName }) => (
    <span className="whitespace-nowrap text-muted" title={marketName}>
      {pair}
    </span>
  ),
  csv: ({ pair, marketName }) => `${marketName} ${pair}`,
  sortBy: ({ pair }) => pair,
}

interface Props {
  readonly title: string
  readonly loans: readonly LoanRow[]
  readonly empty: ReactNode
  readonly across?: boolean
  /** Stands beside the health: what it is compared with must not be the column that a narrow screen cuts off. */
  readonly besideHealth?: readonly Column<LoanRow>[]
  readonly aside?: ReactNode
}

export function LoansTable({ title, loans, empty, across = false, besideHealth = [], aside }: Props) {
  const navigate = useNavigate()
  const [first, ...rest] = COLUMNS
  const loan = first ? [across ? withMarket(first) : first] : []
  const others = rest.flatMap((column) => (column.key === 'health' ? [column, ...besideHealth] : [column]))
  const columns = [...loan, ...(across ? [MARKET] : []), ...others]
  return (
    <Table
      title={title}
      rows={loans}
      columns={columns}
      rowKey={({ marketId, loanId }) => `${marketId}-${loanId}`}
      onOpen={({ marketId, loanId }) =>
        void navigate({ to: '/markets/$marketId/loans/$loanId', params: { marketId, loanId } })
      }
      empty={empty}
      aside={aside}
    />
  )
}

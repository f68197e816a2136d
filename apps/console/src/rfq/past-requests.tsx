import { Link } from '@tanstack/react-router'
import type { Request } from '../api/rfq.ts'
import type { Book } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { plainUnits, showUnits } from '../trade/units.ts'
import { Badge } from '../ui/badge.tsx'
import { Address, When } from '../ui/figures.tsx'
import { Empty } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { titleOf } from './request-card.tsx'

const text = t.rfq

const acceptedOf = ({ quotes }: Request) => quotes.find(({ status }) => status === 'ACCEPTED')
/** One whose time has passed may still say that it is open. */
const statusOf = ({ status }: Request) => (status === 'PENDING' || status === 'QUOTED' ? 'EXPIRED' : status)

export function PastRequests({ requests, stocks }: { requests: readonly Request[]; stocks: readonly Book[] }) {
  const bookOf = ({ baseToken }: Request) => stocks.find(({ tokenAddress }) => tokenAddress === baseToken)
  const columns: readonly Column<Request>[] = [
    {
      key: 'what',
      name: text.columns.what,
      cell: (request) => (
        <Link className="font-medium whitespace-nowrap hover:underline" to="/rfq/$rfqId" params={{ rfqId: request.id }}>
          {titleOf(request, bookOf(request))}
        </Link>
      ),
      csv: (request) => titleOf(request, bookOf(request)),
    },
    {
      key: 'status',
      name: text.columns.status,
      cell: (request) => (
        <Badge tone={statusOf(request) === 'ACCEPTED' ? 'good' : 'neutral'}>{text.statuses[statusOf(request)]}</Badge>
      ),
      csv: statusOf,
    },
    {
      key: 'price',
      name: text.columns.price,
      number: true,
      wide: true,
      cell: (request) => <span className="num">{showPrice(acceptedOf(request)?.price)}</span>,
      csv: (request) => (acceptedOf(request) ? plainUnits(BigInt(acceptedOf(request)?.price ?? 0)) : ''),
    },
    {
      key: 'with',
      name: text.columns.with,
      wide: true,
      cell: (request) => <Address value={acceptedOf(request)?.lpAddress} />,
      csv: (request) => acceptedOf(request)?.lpAddress ?? '',
    },
    {
      key: 'quotes',
      name: text.columns.quotes,
      number: true,
      wide: true,
      cell: ({ quotes }) => <span className="num">{quotes.length}</span>,
      csv: ({ quotes }) => String(quotes.length),
    },
    {
      key: 'at',
      name: text.columns.at,
      number: true,
      cell: ({ createdAt }) => <When at={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
  ]
  return (
    <Table
      title={text.past}
      rows={requests}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<Empty title={text.noPast} />}
    />
  )
}

const showPrice = (units: string | undefined) => (units === undefined ? '–' : showUnits(units))

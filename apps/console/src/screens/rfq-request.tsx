import { useParams } from '@tanstack/react-router'
import { type Quote, type Request, useRequest } from '../api/rfq.ts'
import { useBooks } from '../api/trading.ts'
import { titleOf } from '../rfq/request-card.tsx'
import { t } from '../texts/index.ts'
import { notionalDown, plainUnits, showUnits } from '../trade/units.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { Address, Copy, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead, Stat, Stats } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'

const text = t.rfq

/** One request and every quote for it, in whatever state. */
export function RfqRequest() {
  const { rfqId = '' } = useParams({ strict: false })
  const query = useRequest(rfqId)
  return (
    <Loaded query={query} rows={6}>
      {(request) => <Details request={request} />}
    </Loaded>
  )
}

function Details({ request }: { request: Request }) {
  const { books } = useBooks()
  const found = books.find(({ book }) => book.tokenAddress === request.baseToken)
  const columns: readonly Column<Quote>[] = [
    {
      key: 'price',
      name: text.columns.price,
      number: true,
      cell: ({ price }) => <span className="num font-medium">{showUnits(price)}</span>,
      csv: ({ price }) => plainUnits(BigInt(price)),
      sortBy: ({ price }) => Number(price),
    },
    {
      key: 'total',
      name: text.total,
      number: true,
      cell: ({ price }) => (
        <span className="num">{showUnits(notionalDown(BigInt(request.baseAmount), BigInt(price)))}</span>
      ),
      csv: ({ price }) => plainUnits(notionalDown(BigInt(request.baseAmount), BigInt(price))),
    },
    {
      key: 'from',
      name: text.columns.with,
      wide: true,
      cell: ({ lpAddress }) => <Address value={lpAddress} />,
      csv: ({ lpAddress }) => lpAddress,
    },
    {
      key: 'status',
      name: text.columns.status,
      cell: ({ status }) => (
        <Badge tone={status === 'ACCEPTED' ? 'good' : 'neutral'}>{text.quoteStatuses[status]}</Badge>
      ),
      csv: ({ status }) => status,
    },
    {
      key: 'until',
      name: text.validUntil,
      wide: true,
      cell: ({ validUntil }) => <When at={validUntil} />,
      csv: ({ validUntil }) => validUntil,
    },
  ]
  return (
    <>
      <PageHead
        back={<BackLink to="/rfq" name={text.title} />}
        title={titleOf(request, found?.book)}
        about={
          <span className="inline-flex items-center font-mono text-xs">
            {request.id} <Copy text={request.id} label={text.requestId} />
          </span>
        }
      />
      <div className="space-y-4">
        <Stats>
          <Stat name={text.columns.status}>{text.requestStatuses[request.status]}</Stat>
          <Stat name={text.from}>
            <Address value={request.requesterAddress} />
          </Stat>
          <Stat name={text.columns.at}>
            <When at={request.createdAt} />
          </Stat>
          <Stat name={text.validUntil}>
            <When at={request.expiresAt} />
          </Stat>
        </Stats>
        <Table
          title={text.quotes}
          rows={request.quotes}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<Empty title={text.noQuotes} />}
        />
      </div>
    </>
  )
}

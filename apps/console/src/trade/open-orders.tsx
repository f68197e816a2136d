import { memo, useEffect, useMemo } from 'react'
import type { Book, Order, Trade } from '../api/trading.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { When } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { plainUnits, showUnits } from './units.ts'
import type { Sending } from './use-place.ts'

const text = t.trade.orders

/** A row of the list: an order of the book, or one that is on its way. */
type Row =
  | { readonly key: string; readonly order: Order; readonly sent?: undefined }
  | { readonly key: string; readonly sent: Sending; readonly order?: undefined }

interface Props {
  readonly book: Book
  readonly digits: number
  readonly orders: readonly Order[]
  readonly sending: readonly Sending[]
  /** Being cancelled right now. */
  readonly leaving: ReadonlySet<string>
  readonly selected: string | undefined
  readonly onSelect: (orderId: string) => void
  readonly onCancel: (order: Order) => void
  readonly onAmend: (order: Order) => void
  readonly onCancelAll: () => void
}

export function OpenOrders({ book, digits, orders, sending, leaving, selected, ...act }: Props) {
  const { onSelect, onCancel, onAmend, onCancelAll } = act
  const rows: readonly Row[] = [
    ...sending.map((sent): Row => ({ key: sent.clientOrderId, sent })),
    ...orders.map((order): Row => ({ key: order.orderId, order })),
  ]
  const first = orders[0]?.orderId
  useEffect(() => {
    if (first !== undefined && !orders.some(({ orderId }) => orderId === selected)) onSelect(first)
  }, [first, orders, selected, onSelect])
  const sideOf = ({ order, sent }: Row) => order?.side ?? sent?.side ?? 'BUY'
  const priceOf = ({ order, sent }: Row) => order?.price ?? sent?.price?.toString() ?? null
  const columns: readonly Column<Row>[] = [
    {
      key: 'side',
      name: text.columns.side,
      cell: (row) => (
        <span className="flex items-center gap-1.5">
          {row.order ? (
            <input
              type="radio"
              name="selected-order"
              aria-label={`${text.select} ${t.trade.sides[sideOf(row)]} ${priceOf(row) === null ? '' : showUnits(priceOf(row) ?? 0n, digits)}`}
              checked={row.order.orderId === selected}
              onChange={() => row.order && onSelect(row.order.orderId)}
            />
          ) : null}
          <span className={`font-medium ${sideOf(row) === 'BUY' ? 'text-good' : 'text-bad'}`}>
            {t.trade.sides[sideOf(row)]}
          </span>
        </span>
      ),
      csv: sideOf,
    },
    {
      key: 'price',
      name: `${text.columns.price}`,
      number: true,
      cell: (row) => <span className="num">{priceOf(row) === null ? '–' : showUnits(priceOf(row) ?? 0n, digits)}</span>,
      csv: (row) => (priceOf(row) === null ? '' : plainUnits(BigInt(priceOf(row) ?? 0))),
    },
    {
      key: 'left',
      name: `${text.columns.left} (${book.symbol})`,
      number: true,
      cell: ({ order, sent }) => (
        <span className="num">{showUnits(order?.remainingQuantity ?? sent?.quantity ?? 0n)}</span>
      ),
      csv: ({ order, sent }) => plainUnits(BigInt(order?.remainingQuantity ?? sent?.quantity ?? 0)),
    },
    {
      key: 'filled',
      name: text.columns.filled,
      number: true,
      wide: true,
      cell: ({ order }) => <span className="num">{showUnits(order?.filledQuantity ?? 0n)}</span>,
      csv: ({ order }) => plainUnits(BigInt(order?.filledQuantity ?? 0)),
    },
    {
      key: 'state',
      name: text.columns.state,
      wide: true,
      cell: ({ order, sent }) =>
        sent ? (
          <Badge tone="warn">{text.states[sent.state]}</Badge>
        ) : leaving.has(order.orderId) ? (
          <Badge tone="warn">{text.states.cancelling}</Badge>
        ) : (
          <Badge>{text.states[order.status] ?? order.status}</Badge>
        ),
      csv: ({ order, sent }) => order?.status ?? sent?.state ?? '',
    },
    {
      key: 'at',
      name: text.columns.at,
      wide: true,
      cell: ({ order }) => (order ? <When at={order.createdAt} /> : '–'),
      csv: ({ order }) => order?.createdAt ?? '',
    },
    {
      key: 'act',
      name: text.columns.act,
      number: true,
      cell: ({ order }) =>
        order ? (
          <span className="flex justify-end gap-1">
            <Button small look="quiet" disabled={leaving.has(order.orderId)} onClick={() => onAmend(order)}>
              {text.amend}
            </Button>
            <Button
              small
              look="quiet"
              aria-label={text.cancel}
              disabled={leaving.has(order.orderId)}
              onClick={() => onCancel(order)}
            >
              <Icon name="cross" className="size-3.5" />
            </Button>
          </span>
        ) : null,
      csv: () => '',
    },
  ]
  return (
    <Table
      title={text.title}
      rows={rows}
      columns={columns}
      rowKey={({ key }) => key}
      empty={<Empty title={text.empty}>{text.emptyAbout}</Empty>}
      aside={
        orders.length === 0 ? null : (
          <Button small look="quiet" onClick={onCancelAll}>
            {text.cancelAll}
          </Button>
        )
      }
    />
  )
}

function fillColumns({ symbol }: Book, digits: number, own: string): readonly Column<Trade>[] {
  /** The side that the holder was on: that of the taker, or the other one. */
  const sideOf = ({ side, takerAddress }: Trade) => (takerAddress === own ? side : side === 'BUY' ? 'SELL' : 'BUY')
  const feeOf = ({ takerAddress, takerFee, makerFee }: Trade) => (takerAddress === own ? takerFee : makerFee)
  return [
    {
      key: 'side',
      name: text.columns.side,
      cell: (trade) => (
        <span className={`font-medium ${sideOf(trade) === 'BUY' ? 'text-good' : 'text-bad'}`}>
          {t.trade.sides[sideOf(trade)]}
        </span>
      ),
      csv: sideOf,
    },
    {
      key: 'price',
      name: text.columns.price,
      number: true,
      cell: ({ price }) => <span className="num">{showUnits(price, digits)}</span>,
      csv: ({ price }) => plainUnits(BigInt(price)),
    },
    {
      key: 'quantity',
      name: `${text.columns.quantity} (${symbol})`,
      number: true,
      cell: ({ quantity }) => <span className="num">{showUnits(quantity)}</span>,
      csv: ({ quantity }) => plainUnits(BigInt(quantity)),
    },
    {
      key: 'fee',
      name: `${text.columns.fee} (${symbol})`,
      number: true,
      wide: true,
      cell: (trade) => <span className="num">{showUnits(feeOf(trade))}</span>,
      csv: (trade) => plainUnits(BigInt(feeOf(trade))),
    },
    {
      key: 'state',
      name: text.columns.settlement,
      wide: true,
      cell: ({ settlementStatus, settlementError }) => (
        <span title={settlementError ?? undefined}>
          <Badge tone={settlementStatus === 'FAILED' ? 'bad' : settlementStatus === 'PROCESSING' ? 'warn' : 'good'}>
            {text.settlements[settlementStatus ?? 'LEDGER']}
          </Badge>
        </span>
      ),
      csv: ({ settlementStatus }) => settlementStatus ?? 'LEDGER',
    },
    {
      key: 'at',
      name: text.columns.at,
      number: true,
      cell: ({ createdAt }) => <When at={createdAt} />,
      csv: ({ createdAt }) => createdAt,
    },
  ]
}

interface FillsProps {
  readonly book: Book
  readonly digits: number
  readonly trades: readonly Trade[]
  readonly own: string
}

/** Each of them moves with every fill: more would take the time that the book needs. */
const FILLS_DRAWN = 30

export const Fills = memo(function Fills({ book, digits, trades, own }: FillsProps) {
  const columns = useMemo(() => fillColumns(book, digits, own), [book, digits, own])
  return (
    <Table
      title={text.fills}
      rows={trades}
      most={FILLS_DRAWN}
      columns={columns}
      rowKey={({ tradeId }) => tradeId}
      empty={<Empty title={text.fillsEmpty} />}
    />
  )
})

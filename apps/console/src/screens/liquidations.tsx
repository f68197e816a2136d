import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { tally } from '../api/client.ts'
import {
  type Auction,
  type Market,
  type Pending,
  type Seizable,
  useAuctions,
  useMarkets,
  usePending,
  useSeizable,
} from '../api/lending.ts'
import { useOwnAddress } from '../api/session.ts'
import { parseDecimal, plainDecimal, times } from '../lib/decimal.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Badge, Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Address, Amount, AsOf, When } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, Fact, Facts, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { amountFault, typedAmount } from './amounts.ts'
import { HeldForYou } from './escrow-claims.tsx'
import { Health } from './health.tsx'
import { Ready } from './liquidation-ready.tsx'
import { SellStepByStep } from './liquidation-sale.tsx'
import { marketColumn } from './market-column.tsx'
import { nameOf } from './market-state.tsx'

const text = t.liquidations

interface Of<Row> {
  readonly market: Market
  readonly row: Row
}

export function Liquidations() {
  const markets = useMarkets()
  return (
    <>
      <PageHead title={text.title} about={text.about} aside={<AsOf metadata={markets.data?.metadata} />} />
      <Loaded query={markets} rows={6}>
        {({ data }) => (
          <div className="space-y-4">
            <SeizableLoans markets={data.markets} />
            <RunningAuctions markets={data.markets} />
            <OnRouter markets={data.markets} />
            <HeldForYou markets={data.markets} />
            <Ready markets={data.markets} />
          </div>
        )}
      </Loaded>
    </>
  )
}

const loanColumn = <Row extends { loanId: string }>(): Column<Of<Row>> => ({
  key: 'loan',
  name: text.columns.loan,
  cell: ({ market, row }) => (
    <Link
      className="font-medium whitespace-nowrap hover:underline"
      to="/markets/$marketId/loans/$loanId"
      params={{ marketId: market.id, loanId: row.loanId }}
    >
      {t.loans.of} {row.loanId}
    </Link>
  ),
  csv: ({ row }) => row.loanId,
})

function SeizableLoans({ markets }: { markets: readonly Market[] }) {
  const answers = useSeizable(markets)
  const rows = answers.flatMap(({ query, market }) =>
    (query.data?.data.liquidatableLoans ?? []).map((row) => ({ market, row })),
  )
  const isStale = answers.some(({ query }) => query.data?.data.priceStale)
  const columns: readonly Column<Of<Seizable>>[] = [
    loanColumn<Seizable>(),
    marketColumn<Of<Seizable>>(),
    {
      key: 'borrower',
      name: text.columns.borrower,
      wide: true,
      cell: ({ row }) => <Address value={row.borrower} />,
      csv: ({ row }) => row.borrower,
    },
    {
      key: 'collateral',
      name: text.columns.collateral,
      number: true,
      wide: true,
      cell: ({ market, row }) => <Amount value={row.collateralAmount} unit={market.collateralTokenSymbol} />,
      csv: ({ row }) => row.collateralAmount,
    },
    {
      key: 'debt',
      name: text.columns.debt,
      number: true,
      cell: ({ market, row }) => <Amount value={row.principal} unit={market.borrowAssetSymbol} />,
      csv: ({ row }) => row.principal,
      sortBy: ({ row }) => Number(row.principal),
    },
    {
      key: 'health',
      name: text.columns.health,
      number: true,
      cell: ({ row }) => <Health value={row.healthFactor} />,
      csv: ({ row }) => row.healthFactor ?? '',
      sortBy: ({ row }) => Number(row.healthFactor ?? Number.MAX_VALUE),
    },
    {
      key: 'why',
      name: text.columns.why,
      wide: true,
      cell: ({ row }) => text.triggers[row.trigger],
      csv: ({ row }) => row.trigger,
    },
    { key: 'action', name: text.columns.action, number: true, cell: (one) => <Seize {...one} />, csv: () => '' },
  ]
  return (
    <Table
      title={text.seizable}
      aside={isStale ? <Badge tone="warn">{text.stale}</Badge> : null}
      rows={rows}
      columns={columns}
      rowKey={({ market, row }) => `${market.id}-${row.loanId}`}
      empty={<Empty title={text.seizableEmpty}>{text.seizableAbout}</Empty>}
    />
  )
}

function Seize({ market, row }: Of<Seizable>) {
  const own = useOwnAddress()
  const { start, isBuilding, faults } = useWrite(tally.lending.liquidateLoan, {
    title: `${text.seize}: ${t.loans.of} ${row.loanId}`,
  })
  return (
    <>
      <Button
        small
        look="danger"
        disabled={isBuilding}
        onClick={() =>
          void start({
            params: { marketId: market.id, loanId: row.loanId },
            body: own ? { signerAddress: own } : {},
          })
        }
      >
        {text.seize}
      </Button>
      {faults[''] ? <span className="mt-1 block max-w-64 text-left text-xs text-bad">{faults['']}</span> : null}
    </>
  )
}

function RunningAuctions({ markets }: { markets: readonly Market[] }) {
  const answers = useAuctions(markets)
  const [bidding, setBidding] = useState<{ marketId: string; auctionId: string }>()
  const all = answers.flatMap(({ query, market }) => (query.data?.data.auctions ?? []).map((row) => ({ market, row })))
  const rows = all.filter(({ row }) => row.phase !== 'CLOSED')
  const chosen = rows.find(({ market, row }) => market.id === bidding?.marketId && row.auctionId === bidding.auctionId)
  const columns: readonly Column<Of<Auction>>[] = [
    loanColumn<Auction>(),
    marketColumn<Of<Auction>>(),
    {
      key: 'remaining',
      name: text.columns.remaining,
      number: true,
      wide: true,
      cell: ({ market, row }) => <Amount value={row.collateralRemaining} unit={market.collateralTokenSymbol} />,
      csv: ({ row }) => row.collateralRemaining,
    },
    {
      key: 'price',
      name: text.columns.price,
      number: true,
      cell: ({ market, row }) => (
        <span className="font-medium">
          <Amount value={row.currentPrice} unit={market.borrowAssetSymbol} digits={4} />
        </span>
      ),
      csv: ({ row }) => row.currentPrice,
    },
    {
      key: 'floor',
      name: text.columns.floor,
      number: true,
      wide: true,
      cell: ({ row }) => <Amount value={row.floorPrice} digits={4} />,
      csv: ({ row }) => row.floorPrice,
    },
    {
      key: 'oracle',
      name: text.columns.oracle,
      number: true,
      wide: true,
      cell: ({ row }) => <Amount value={row.oraclePrice} />,
      csv: ({ row }) => row.oraclePrice,
    },
    {
      key: 'ends',
      name: text.columns.ends,
      wide: true,
      cell: ({ row }) => <When at={row.endTime} as="distance" />,
      csv: ({ row }) => new Date(row.endTime * 1000).toISOString(),
    },
    {
      key: 'status',
      name: text.columns.status,
      wide: true,
      cell: ({ row }) => <Badge tone={row.phase === 'RUNNING' ? 'accent' : 'warn'}>{text.phases[row.phase]}</Badge>,
      csv: ({ row }) => row.phase,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: (one) =>
        one.row.settleable ? (
          <Settle {...one} />
        ) : (
          <Button
            small
            look="primary"
            disabled={!one.row.biddable}
            onClick={() => setBidding({ marketId: one.market.id, auctionId: one.row.auctionId })}
          >
            {text.bid}
          </Button>
        ),
      csv: () => '',
    },
  ]
  return (
    <>
      <Table
        title={text.auctions}
        rows={rows}
        columns={columns}
        rowKey={({ market, row }) => `${market.id}-${row.auctionId}`}
        empty={<Empty title={text.auctionsEmpty}>{text.auctionsAbout}</Empty>}
      />
      {chosen ? <Bid {...chosen} onClose={() => setBidding(undefined)} /> : null}
    </>
  )
}

function Settle({ market, row }: Of<Auction>) {
  const { start, isBuilding, faults } = useWrite(tally.lending.settleExpiredAuction, { title: text.settle })
  return (
    <>
      <Button
        small
        disabled={isBuilding}
        onClick={() => void start({ params: { marketId: market.id }, body: { auctionId: row.auctionId } })}
      >
        {text.settle}
      </Button>
      {faults[''] ? <span className="block text-xs text-bad">{faults['']}</span> : null}
    </>
  )
}

const BID_FIELDS = {
  AMOUNT_EXCEEDS_REMAINING: 'collateralAmount',
  BID_TOO_LARGE: 'collateralAmount',
  INSUFFICIENT_BALANCE: 'collateralAmount',
  EXCEEDS_REMAINING: 'collateralAmount',
}

/** The price falls while the form is open, and so does the cost. */
function Bid({ market, row, onClose }: Of<Auction> & { onClose: () => void }) {
  const own = useOwnAddress()
  const [amount, setAmount] = useState(row.collateralRemaining)
  const { start, isBuilding, faults, clear } = useWrite(tally.lending.bidOnAuction, {
    title: `${text.bidTitle} ${row.auctionId}`,
    signer: own,
    fields: BID_FIELDS,
    onDone: onClose,
  })
  const [wanted, price] = [typedAmount(amount), parseDecimal(row.currentPrice)]
  return (
    <Dialog title={`${text.bidTitle} ${row.auctionId}`} about={nameOf(market)} onClose={onClose}>
      <form
        className="space-y-4 p-5"
        onSubmit={(event) => {
          event.preventDefault()
          void start({
            params: { marketId: market.id },
            body: {
              auctionId: row.auctionId,
              collateralAmount: amount.trim(),
              ...(own ? { bidderAddress: own } : {}),
            },
          })
        }}
      >
        <Field
          label={text.bidAmount}
          inputMode="decimal"
          unit={market.collateralTokenSymbol}
          value={amount}
          onChange={(value) => {
            setAmount(value)
            clear()
          }}
          fault={faults.collateralAmount ?? amountFault(amount)}
          aside={
            <>
              <Amount value={row.collateralRemaining} unit={market.collateralTokenSymbol} />{' '}
              {text.columns.remaining.toLowerCase()}
            </>
          }
        />
        <Facts>
          <Fact name={text.falling}>
            <Amount value={row.currentPrice} unit={market.borrowAssetSymbol} digits={4} />
          </Fact>
          <Fact name={text.bidCost}>
            <Amount
              value={wanted && price ? plainDecimal(times(wanted, price)) : null}
              unit={market.borrowAssetSymbol}
            />
          </Fact>
          <Fact name={text.columns.ends}>
            <When at={row.endTime} />
          </Fact>
        </Facts>
        {faults[''] ? <Notice tone="bad">{faults['']}</Notice> : null}
        <Button type="submit" look="primary" className="w-full" disabled={isBuilding || !wanted || !row.biddable}>
          {t.loans.review}
        </Button>
      </form>
    </Dialog>
  )
}

/** Its number on the router; what is in an auction has none there. */
const onRouter = ({ liquidationId, onChainData }: Pending): string | undefined =>
  liquidationId !== null && onChainData !== null ? liquidationId : undefined

function OnRouter({ markets }: { markets: readonly Market[] }) {
  const answers = usePending(markets)
  const [selling, setSelling] = useState<string>()
  const rows = answers.flatMap(({ query, market }) =>
    (query.data?.data.pendingLiquidations ?? []).map((row) => ({ market, row })),
  )
  const columns: readonly Column<Of<Pending>>[] = [
    loanColumn<Pending>(),
    marketColumn<Of<Pending>>(),
    {
      key: 'borrower',
      name: text.columns.borrower,
      wide: true,
      cell: ({ row }) => <Address value={row.borrower} />,
      csv: ({ row }) => row.borrower ?? '',
    },
    {
      key: 'seized',
      name: text.columns.seized,
      number: true,
      cell: ({ market, row }) => <Amount value={row.collateralAmount} unit={market.collateralTokenSymbol} />,
      csv: ({ row }) => row.collateralAmount,
    },
    {
      key: 'owed',
      name: text.columns.owed,
      number: true,
      cell: ({ market, row }) => <Amount value={row.debtOwed} unit={market.borrowAssetSymbol} />,
      csv: ({ row }) => row.debtOwed,
    },
    {
      key: 'status',
      name: text.columns.status,
      wide: true,
      cell: ({ row }) => <Badge>{text.paths[row.realization ?? 'ROUTER']}</Badge>,
      csv: ({ row }) => row.realization ?? row.status,
    },
    {
      key: 'since',
      name: text.columns.since,
      wide: true,
      cell: ({ row }) => <When at={row.createdAt} />,
      csv: ({ row }) => row.createdAt,
      sortBy: ({ row }) => row.createdAt,
    },
    {
      key: 'action',
      name: text.columns.action,
      number: true,
      cell: ({ row }) =>
        onRouter(row) === undefined ? null : (
          <Button small onClick={() => setSelling(row.id)}>
            {text.sell}
          </Button>
        ),
      csv: () => '',
    },
  ]
  const chosen = rows.find(({ row }) => row.id === selling)
  const liquidationId = chosen ? onRouter(chosen.row) : undefined
  return (
    <>
      <Table
        title={text.router}
        rows={rows}
        columns={columns}
        rowKey={({ row }) => row.id}
        empty={<Empty title={text.routerEmpty}>{text.routerAbout}</Empty>}
      />
      {chosen && liquidationId !== undefined ? (
        <SellStepByStep {...chosen} liquidationId={liquidationId} onClose={() => setSelling(undefined)} />
      ) : null}
    </>
  )
}

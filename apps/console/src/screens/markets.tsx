import { Link, useNavigate } from '@tanstack/react-router'
import { type Market, readOf, useMarkets } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Amount, AsOf, Percent } from '../ui/figures.tsx'
import { Loaded } from '../ui/loading.tsx'
import { Empty, PageHead } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { MarketState, nameOf, stateText } from './market-state.tsx'

const text = t.markets.columns

const columns: readonly Column<Market>[] = [
  {
    key: 'name',
    name: text.name,
    cell: (market) => (
      <Link to="/markets/$marketId" params={{ marketId: market.id }} className="block min-w-40 max-sm:min-w-28">
        <span className="font-medium hover:underline">{nameOf(market)}</span>
        <span className="block text-xs text-muted">
          {market.collateralTokenSymbol} / {market.borrowAssetSymbol} · {t.markets.modes[market.collateralMode]}
        </span>
      </Link>
    ),
    csv: (market) =>
      `${nameOf(market)} (${market.collateralTokenSymbol}/${market.borrowAssetSymbol}, ${market.collateralMode})`,
    sortBy: nameOf,
  },
  {
    key: 'price',
    name: text.price,
    number: true,
    cell: (market) => <Amount value={readOf(market)?.price} unit={market.borrowAssetSymbol} />,
    csv: (market) => readOf(market)?.price ?? '',
  },
  {
    key: 'borrowRate',
    name: text.borrowRate,
    number: true,
    cell: (market) => <Percent bps={readOf(market)?.borrowRate} />,
    csv: (market) => readOf(market)?.borrowRate ?? '',
    sortBy: (market) => Number(readOf(market)?.borrowRate ?? 0),
  },
  {
    key: 'supplyRate',
    name: text.supplyRate,
    number: true,
    wide: true,
    cell: (market) => <Percent bps={readOf(market)?.supplyRate} />,
    csv: (market) => readOf(market)?.supplyRate ?? '',
    sortBy: (market) => Number(readOf(market)?.supplyRate ?? 0),
  },
  {
    key: 'utilization',
    name: text.utilization,
    number: true,
    wide: true,
    cell: (market) => <Percent bps={readOf(market)?.utilizationRate} />,
    csv: (market) => readOf(market)?.utilizationRate ?? '',
    sortBy: (market) => Number(readOf(market)?.utilizationRate ?? 0),
  },
  {
    key: 'deposits',
    name: text.deposits,
    number: true,
    wide: true,
    cell: (market) => <Amount value={readOf(market)?.totalDeposits} unit={market.borrowAssetSymbol} />,
    csv: (market) => readOf(market)?.totalDeposits ?? '',
    sortBy: (market) => Number(readOf(market)?.totalDeposits ?? 0),
  },
  {
    key: 'available',
    name: text.available,
    number: true,
    wide: true,
    cell: (market) => <Amount value={readOf(market)?.borrowableLiquidity} unit={market.borrowAssetSymbol} />,
    csv: (market) => readOf(market)?.borrowableLiquidity ?? '',
  },
  {
    key: 'loans',
    name: text.loans,
    number: true,
    wide: true,
    cell: (market) => <span className="num">{readOf(market)?.activeLoans ?? '–'}</span>,
    csv: (market) => readOf(market)?.activeLoans ?? '',
    sortBy: (market) => Number(readOf(market)?.activeLoans ?? 0),
  },
  { key: 'state', name: text.state, cell: (market) => <MarketState market={market} />, csv: stateText },
]

export function Markets() {
  const query = useMarkets()
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={t.markets.title} about={t.markets.about} aside={<AsOf metadata={query.data?.metadata} />} />
      <Loaded query={query} rows={6}>
        {({ data }) => (
          <Table
            title={t.markets.title}
            rows={data.markets}
            columns={columns}
            rowKey={({ id }) => id}
            onOpen={({ id }) => void navigate({ to: '/markets/$marketId', params: { marketId: id } })}
            empty={
              <Empty
                title={t.markets.empty}
                action={
                  <a className="text-accent underline" href="/docs/guides">
                    {t.markets.guide}
                  </a>
                }
              >
                {t.markets.emptyAbout}
              </Empty>
            }
          />
        )}
      </Loaded>
    </>
  )
}

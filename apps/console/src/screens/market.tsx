import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { tally } from '../api/client.ts'
import {
  type Market,
  type ReadMarket,
  readOf,
  useHistory,
  useMarket,
  usePositions,
  usePriceHistory,
  useRateMode,
} from '../api/lending.ts'
import { toNumber } from '../lib/decimal.ts'
import { useWrite } from '../signing/use-write.ts'
import { t } from '../texts/index.ts'
import { Notice } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Amount, AsOf, Copy, Percent, When } from '../ui/figures.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded, Waiting } from '../ui/loading.tsx'
import { Empty, PageHead, Panel, Stat, Stats } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AddLiquidity } from './add-liquidity.tsx'
import { AssetData } from './asset-data.tsx'
import { rowOfPosition } from './loan-row.ts'
import { LoansTable } from './loans-table.tsx'
import { AuctionModule, Fees, Parameters, Setup, Upgrades } from './market-parts.tsx'
import { MarketState, nameOf } from './market-state.tsx'
import { OpenLoan } from './open-loan.tsx'

const Chart = lazy(async () => ({ default: (await import('../ui/chart.tsx')).Chart }))
const text = t.markets

export function BackTo({
  to,
  params,
  name,
}: {
  to: '/markets' | '/markets/$marketId' | '/vaults'
  params?: { marketId: string }
  name: string
}) {
  return (
    <Link
      to={to}
      {...(params ? { params } : {})}
      className="mb-1 inline-flex items-center gap-1 text-xs text-muted hover:text-ink"
    >
      <Icon name="right" className="size-3 rotate-180" /> {name}
    </Link>
  )
}

export function MarketPage() {
  const { marketId = '' } = useParams({ strict: false })
  const { market, metadata, ...query } = useMarket(marketId)
  return (
    <Loaded query={query} rows={8}>
      {() => (market ? <Details market={market} metadata={metadata} /> : <Empty title={t.faults.missing} />)}
    </Loaded>
  )
}

function Details({ market, metadata }: { market: Market; metadata: Parameters_<typeof AsOf>['metadata'] }) {
  const [form, setForm] = useState<'loan' | 'lend'>()
  const read = readOf(market)
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const show = (key: string) =>
    void navigate({ to: '.', search: key === 'overview' ? {} : ({ tab: key } as never), replace: true })
  const tabs = [
    { key: 'overview', name: text.tabs.overview, content: <Overview market={market} read={read} /> },
    { key: 'loans', name: text.tabs.loans, content: <Loans market={market} onOpenLoan={() => setForm('loan')} /> },
    { key: 'parameters', name: text.tabs.parameters, content: <Parameters market={market} /> },
    { key: 'setup', name: text.tabs.setup, content: <Setup market={market} /> },
    { key: 'auction', name: text.tabs.auction, content: <AuctionModule market={market} /> },
    { key: 'fees', name: text.tabs.fees, content: <Fees market={market} /> },
    { key: 'upgrades', name: text.tabs.upgrades, content: <Upgrades market={market} /> },
    { key: 'asset-data', name: text.tabs.assetData, content: <AssetData market={market} /> },
  ]
  return (
    <>
      <PageHead
        back={<BackTo to="/markets" name={text.title} />}
        title={nameOf(market)}
        about={
          <span className="inline-flex flex-wrap items-center gap-2">
            {market.collateralTokenSymbol} / {market.borrowAssetSymbol} · {text.modes[market.collateralMode]}{' '}
            <MarketState market={market} />
            <span className="inline-flex items-center font-mono text-xs">
              {market.id.slice(0, 8)}… <Copy text={market.id} label="market id" />
            </span>
          </span>
        }
        aside={
          <>
            <AsOf metadata={metadata} />
            <PauseButton market={market} />
            <Button onClick={() => setForm('lend')}>{text.lend}</Button>
            <Button look="primary" onClick={() => setForm('loan')}>
              {text.openLoan}
            </Button>
          </>
        }
      />
      {read ? <Figures market={market} read={read} /> : null}
      <div className="mt-5">
        <Tabs
          label={nameOf(market)}
          tabs={tabs}
          value={tabs.some(({ key }) => key === tab) ? (tab ?? 'overview') : 'overview'}
          onChange={show}
        />
      </div>
      {form === undefined ? null : (
        <Dialog
          title={form === 'loan' ? text.openLoan : text.liquidity.title}
          about={nameOf(market)}
          onClose={() => setForm(undefined)}
        >
          <div className="p-5">
            {form === 'loan' ? (
              <OpenLoan market={market} onDone={() => setForm(undefined)} />
            ) : (
              <AddLiquidity market={market} onDone={() => setForm(undefined)} />
            )}
          </div>
        </Dialog>
      )}
    </>
  )
}

type Parameters_<Component extends (props: never) => unknown> = Component extends (props: infer Props) => unknown
  ? Props
  : never

function PauseButton({ market }: { market: Market }) {
  const isPaused = readOf(market)?.paused === true
  const pause = useWrite(tally.lending.pauseMarket, { title: text.pause })
  const unpause = useWrite(tally.lending.unpauseMarket, { title: text.unpause })
  const write = isPaused ? unpause : pause
  const fault = write.faults['']
  return (
    <>
      <Button
        look="quiet"
        disabled={write.isBuilding}
        onClick={() => void write.start({ params: { marketId: market.id } })}
      >
        {isPaused ? text.unpause : text.pause}
      </Button>
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
    </>
  )
}

function Figures({ market, read }: { market: Market; read: ReadMarket }) {
  const unit = market.borrowAssetSymbol
  return (
    <Stats>
      <Stat name={text.columns.price} note={<When at={read.oracleLastUpdate} as="distance" />}>
        <Amount value={read.price} unit={unit} />
      </Stat>
      <Stat name={text.columns.borrowRate}>
        <Percent bps={read.borrowRate} />
      </Stat>
      <Stat name={text.columns.supplyRate}>
        <Percent bps={read.supplyRate} />
      </Stat>
      <Stat name={text.columns.utilization}>
        <Percent bps={read.utilizationRate} />
      </Stat>
      <Stat name={text.columns.deposits}>
        <Amount value={read.totalDeposits} unit={unit} />
      </Stat>
      <Stat name={text.columns.available}>
        <Amount value={read.borrowableLiquidity} unit={unit} />
      </Stat>
    </Stats>
  )
}

function Loans({ market, onOpenLoan }: { market: Market; onOpenLoan: () => void }) {
  const query = usePositions(market.id)
  return (
    <Loaded query={query}>
      {({ data }) => (
        <LoansTable
          title={t.loans.list}
          loans={data.positions.map((loan) => rowOfPosition(market, loan))}
          empty={
            <Empty
              title={t.loans.empty}
              action={
                <Button look="primary" onClick={onOpenLoan}>
                  {text.openLoan}
                </Button>
              }
            >
              {t.loans.emptyAbout}
            </Empty>
          }
        />
      )}
    </Loaded>
  )
}

const percent = (value: number) => `${value.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`

function Overview({ market, read }: { market: Market; read: ReadMarket | undefined }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <RateCurve marketId={market.id} read={read} />
      <Prices market={market} />
      <div className="lg:col-span-2">
        <Pool market={market} />
      </div>
    </div>
  )
}

interface Curve {
  readonly baseRateBps: number
  readonly multiplierBps: number
  readonly jumpMultiplierBps: number
  readonly kinkBps: number
}

/** Two straight lines that meet at the kink. */
function rateAt(utilization: number, { baseRateBps, multiplierBps, jumpMultiplierBps, kinkBps }: Curve): number {
  const kink = kinkBps / 100
  const below = Math.min(utilization, kink)
  const above = Math.max(0, utilization - kink)
  return (baseRateBps + (below / 100) * multiplierBps + (above / 100) * jumpMultiplierBps) / 100
}

function RateCurve({ marketId, read }: { marketId: string; read: ReadMarket | undefined }) {
  const query = useRateMode(marketId)
  const curve = query.data?.data.curve
  const [x, lines] = useMemo(() => {
    const places = Array.from({ length: 101 }, (_, at) => at)
    return [places, curve ? [{ name: text.columns.borrowRate, values: places.map((at) => rateAt(at, curve)) }] : []]
  }, [curve])
  return (
    <Panel title={text.curve}>
      <Loaded query={query}>
        {() =>
          curve ? (
            <Suspense fallback={<Waiting />}>
              <Chart
                x={x}
                lines={lines}
                label={text.curve}
                xText={(value) => `${value} %`}
                yText={percent}
                mark={read ? Number(read.utilizationRate) / 100 : undefined}
              />
              <p className="text-xs text-muted">{text.curveAbout}</p>
            </Suspense>
          ) : (
            <Empty title={text.unreadable} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Prices({ market }: { market: Market }) {
  const query = usePriceHistory(market.id)
  const answer = query.data
  const [x, lines] = useMemo(() => {
    const { history = [], currentPrice = Number.NaN } = answer?.data ?? {}
    // The last price holds until now.
    const now = answer?.metadata.chainTime ?? Date.now() / 1000
    const name = `${market.collateralTokenSymbol} / ${market.borrowAssetSymbol}`
    return [
      [...history.map(({ timestamp }) => timestamp / 1000), now],
      [{ name, values: [...history.map(({ price }) => price), currentPrice], color: 'good' as const, stepped: true }],
    ]
  }, [answer, market.collateralTokenSymbol, market.borrowAssetSymbol])
  return (
    <Panel title={text.priceHistory}>
      <Loaded query={query}>
        {() =>
          x.length > 1 ? (
            <Suspense fallback={<Waiting />}>
              <Chart
                time
                x={x}
                lines={lines}
                label={text.priceHistory}
                yText={(value) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })}
              />
            </Suspense>
          ) : (
            <Empty title={text.poolEmpty} />
          )
        }
      </Loaded>
    </Panel>
  )
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

function Pool({ market }: { market: Market }) {
  const query = useHistory(market.id)
  const points = query.data?.data.points
  const [x, lines] = useMemo(
    () => [
      (points ?? []).map(({ timestamp }) => timestamp / 1000),
      [
        { name: text.supplied, values: (points ?? []).map(({ totalLiquidity }) => toNumber(totalLiquidity)) },
        {
          name: text.borrowed,
          values: (points ?? []).map(({ totalBorrowed }) => toNumber(totalBorrowed)),
          color: 'warn' as const,
        },
      ],
    ],
    [points],
  )
  return (
    <Panel title={text.pool}>
      <Loaded query={query}>
        {() =>
          x.length > 1 ? (
            <Suspense fallback={<Waiting />}>
              <Chart time x={x} lines={lines} label={text.pool} height={180} yText={(value) => compact.format(value)} />
            </Suspense>
          ) : (
            <p className="py-6 text-center text-sm text-muted">{text.poolEmpty}</p>
          )
        }
      </Loaded>
    </Panel>
  )
}

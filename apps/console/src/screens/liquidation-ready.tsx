import type { GetLiquidationConfig } from '@tallystick/sdk'
import { type Market, useLiquidationConfigs } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Amount } from '../ui/figures.tsx'
import { Waiting } from '../ui/loading.tsx'
import { Empty } from '../ui/panel.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { marketColumn } from './market-column.tsx'

const text = t.liquidations.ready

interface Row {
  readonly market: Market
  readonly config: GetLiquidationConfig['data']
}

type Gate = 'canSeizeNow' | 'routerAuthorized' | 'routerTokenEligible' | 'operatorRoleReady'

const gate = (key: Gate, name: string, wide: boolean): Column<Row> => ({
  ...{ key, name, wide },
  cell: ({ config }) => {
    const value = config[key]
    if (value === undefined) return <span title={config.onChainError ?? text.unread}>–</span>
    return <Badge tone={value ? 'good' : 'warn'}>{value ? t.yes : t.no}</Badge>
  },
  csv: ({ config }) => String(config[key] ?? ''),
})

const COLUMNS: readonly Column<Row>[] = [
  marketColumn<Row>(true),
  gate('canSeizeNow', text.now, false),
  gate('routerAuthorized', text.router, true),
  gate('routerTokenEligible', text.token, true),
  gate('operatorRoleReady', text.operator, true),
  {
    key: 'total',
    name: text.total,
    number: true,
    wide: true,
    cell: ({ config }) => <span className="num">{config.stats.totalLiquidations}</span>,
    csv: ({ config }) => String(config.stats.totalLiquidations),
  },
  {
    key: 'auctions',
    name: text.auctions,
    number: true,
    wide: true,
    cell: ({ config }) => <span className="num">{config.stats.totalAuctions}</span>,
    csv: ({ config }) => String(config.stats.totalAuctions),
  },
  {
    key: 'pending',
    name: text.pending,
    number: true,
    wide: true,
    cell: ({ market, config }) => (
      <Amount value={config.stats.pendingLiquidationDebt} unit={market.borrowAssetSymbol} />
    ),
    csv: ({ config }) => config.stats.pendingLiquidationDebt,
  },
]

/** Which markets could seize and sell right now, and which gate is shut where not. */
export function Ready({ markets }: { markets: readonly Market[] }) {
  const asked = useLiquidationConfigs(markets)
  const rows = asked.flatMap(({ query, market }) => (query.data ? [{ market, config: query.data.data }] : []))
  const isWaiting = rows.length === 0 && asked.some(({ query }) => query.isPending)
  return (
    <Table
      title={text.title}
      rows={rows}
      columns={COLUMNS}
      rowKey={({ market }) => market.id}
      empty={isWaiting ? <Waiting rows={3} /> : <Empty title={text.empty} />}
    />
  )
}

import { Link } from '@tanstack/react-router'
import type { Market } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import type { Column } from '../ui/table.tsx'
import { nameOf, pairOf } from './market-state.tsx'

/** The market of a row, and the way to it. `lead`: it is what the row is about. */
export const marketColumn = <Row extends { readonly market: Market }>(lead = false): Column<Row> => ({
  key: 'market',
  name: t.liquidations.columns.market,
  wide: !lead,
  cell: ({ market }) => (
    <Link
      className={`block truncate whitespace-nowrap hover:underline ${lead ? 'font-medium' : 'text-muted'}`}
      to="/markets/$marketId"
      params={{ marketId: market.id }}
    >
      {pairOf(market)}
    </Link>
  ),
  csv: ({ market }) => nameOf(market),
  sortBy: ({ market }) => nameOf(market),
})

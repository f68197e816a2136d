import { type Market, readOf } from '../api/lending.ts'
import { t } from '../texts/index.ts'
import { Badge } from '../ui/badge.tsx'

export const nameOf = ({ collateralTokenName, collateralTokenSymbol, collateralTokenAddress }: Market): string =>
  collateralTokenName ?? collateralTokenSymbol ?? collateralTokenAddress

/** Short, and still one of a kind among markets of the same security. */
export const pairOf = ({ collateralTokenSymbol, borrowAssetSymbol, collateralMode }: Market): string =>
  `${collateralTokenSymbol} / ${borrowAssetSymbol} · ${t.markets.modes[collateralMode].toLowerCase()}`

/** What a reader has to know before trusting a figure of the market. */
export function MarketState({ market }: { market: Market }) {
  const read = readOf(market)
  if (!read) return <Badge tone="bad">{t.markets.unreadable}</Badge>
  const flags = [
    read.paused ? (
      <Badge key="paused" tone="bad">
        {t.markets.paused}
      </Badge>
    ) : null,
    read.isStale ? (
      <Badge key="stale" tone="warn">
        {t.markets.stale}
      </Badge>
    ) : null,
    read.seekingCurator ? (
      <Badge key="seeking" tone="accent">
        {t.markets.seeking}
      </Badge>
    ) : null,
  ].filter((flag) => flag !== null)
  return (
    <span className="inline-flex flex-wrap gap-1">
      {flags.length > 0 ? flags : <Badge tone="good">{t.markets.open}</Badge>}
    </span>
  )
}

export const stateText = (market: Market): string => {
  const read = readOf(market)
  if (!read) return t.markets.unreadable
  if (read.paused) return t.markets.paused
  if (read.isStale) return t.markets.stale
  return read.seekingCurator ? t.markets.seeking : t.markets.open
}

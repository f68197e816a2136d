import { useEffect, useState } from 'react'
import {
  dateOf,
  type Shown,
  shortAddress,
  showAmount,
  showBps,
  showDateTime,
  showDay,
  showDistance,
  showUtc,
  showZoned,
} from '../lib/format.ts'
import { t } from '../texts/index.ts'
import { Icon } from './icon.tsx'
import { Identicon } from './identicon.tsx'

/** Units of so many letters stand beside their figure; longer ones may go to the next line. */
const SHORT_UNIT = 8

const Figure = ({ shown, unit }: { shown: Shown; unit?: string | null | undefined }) => (
  <span className="num" title={shown.exact === '' ? undefined : `${shown.exact}${unit ? ` ${unit}` : ''}`}>
    {shown.short}
    {unit && shown.exact !== '' ? (
      <span className={`text-muted ${unit.length > SHORT_UNIT ? 'whitespace-normal' : ''}`}> {unit}</span>
    ) : null}
  </span>
)

/** An amount at a glance, exact on hover. */
export const Amount = ({
  value,
  unit,
  digits,
}: {
  value: string | null | undefined
  unit?: string | null | undefined
  digits?: number
}) => <Figure shown={showAmount(value, digits)} unit={unit} />

export const Percent = ({ bps }: { bps: string | number | null | undefined }) => <Figure shown={showBps(bps)} />

export function useNow(everyMs = 30_000): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** In the reader's zone; UTC on hover. */
export function When({
  at,
  as = 'time',
}: {
  at: string | number | null | undefined
  as?: 'time' | 'zoned' | 'day' | 'distance'
}) {
  const now = useNow()
  const date = dateOf(at)
  if (date === undefined || Number.isNaN(date.getTime())) return <span className="text-muted">–</span>
  const text = { time: showDateTime, zoned: showZoned, day: showDay, distance: (at: Date) => showDistance(at, now) }[
    as
  ](date)
  return (
    <time className="num" dateTime={date.toISOString()} title={showUtc(date)}>
      {text}
    </time>
  )
}

/** Which block a figure is of. */
export function AsOf({
  metadata,
}: {
  metadata: { blockNumber?: string; chainTime?: number; timestamp: string } | undefined
}) {
  if (!metadata) return null
  const { blockNumber, chainTime, timestamp } = metadata
  return (
    <p className="text-xs text-muted">
      {blockNumber === undefined ? null : (
        <>
          {t.asOf.block} <span className="num">{blockNumber}</span> ·{' '}
        </>
      )}
      <When at={chainTime ?? timestamp} as="zoned" />
    </p>
  )
}

function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false)
  return [
    copied,
    (text) => {
      void navigator.clipboard.writeText(text).then(() => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1500)
      })
    },
  ]
}

export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopied()
  return (
    <button
      type="button"
      onClick={() => copy(text)}
      aria-label={copied ? t.copied : `${t.copy} ${label}`}
      className="inline-grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-raised hover:text-ink"
    >
      <Icon name={copied ? 'check' : 'copy'} className="size-3.5" />
    </button>
  )
}

/** The name first, the address second. */
export function Address({
  value,
  name,
  own = false,
}: {
  value: string | null | undefined
  name?: string | null | undefined
  own?: boolean
}) {
  if (!value) return <span className="text-muted">–</span>
  return (
    <span className="inline-flex items-center gap-x-1.5 whitespace-nowrap max-sm:flex-wrap">
      <Identicon seed={value} />
      {name ? <span>{name}</span> : null}
      <span className={`font-mono text-xs ${name ? 'text-muted' : ''}`} title={value}>
        {shortAddress(value)}
      </span>
      {own ? <span className="text-xs text-accent">{t.you}</span> : null}
      <Copy text={value} label={value} />
    </span>
  )
}

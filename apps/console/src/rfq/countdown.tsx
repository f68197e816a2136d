import { t } from '../texts/index.ts'

/** Seconds that are left, by the clock of the service. The last ten are marked. */
export function Countdown({ until, now }: { until: string; now: number }) {
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000))
  return (
    <span
      role="timer"
      aria-label={`${left} ${t.rfq.secondsLeft}`}
      className={`num inline-block min-w-12 text-right font-medium ${left <= 10 ? 'text-bad' : ''}`}
    >
      {left} s
    </span>
  )
}

import { parseDecimal } from '../lib/decimal.ts'
import { showAmount } from '../lib/format.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

/** Below 1 a loan can be seized. */
export function toneOf(health: string | null): Tone {
  const value = health === null ? undefined : parseDecimal(health)
  if (value === undefined) return 'neutral'
  const scaled = (value.units * 100n) / 10n ** BigInt(value.scale)
  return scaled < 100n ? 'bad' : scaled < 120n ? 'warn' : 'good'
}

export function Health({ value }: { value: string | null }) {
  if (value === null) return <span className="text-muted">–</span>
  const { short, exact } = showAmount(value, 3)
  return (
    <Badge tone={toneOf(value)}>
      <span className="num" title={exact}>
        {short}
      </span>
    </Badge>
  )
}

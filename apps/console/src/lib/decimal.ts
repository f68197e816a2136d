/** Decimal numbers as the service writes them: digits, perhaps a sign and a point. Nothing here goes through a floating-point number. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

const FORM = /^(-?)(\d+)(?:\.(\d+))?$/

export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = ''] = FORM.exec(text.trim()) ?? []
  if (sign === undefined) return undefined
  const units = BigInt(whole + fraction)
  return { units: sign === '-' ? -units : units, scale: fraction.length }
}

const power = (scale: number) => 10n ** BigInt(scale)

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.units * power(scale - a.scale), b.units * power(scale - b.scale), scale]
}

export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b)
  return { units: x + y, scale }
}

export const times = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, scale: a.scale + b.scale })

/** Rounded towards zero, with so many digits behind the point. */
export function divide(a: Decimal, b: Decimal, digits: number): Decimal {
  const up = digits + b.scale - a.scale
  const numerator = up >= 0 ? a.units * power(up) : a.units / power(-up)
  return { units: numerator / b.units, scale: digits }
}

export const fromInteger = (units: bigint): Decimal => ({ units, scale: 0 })

function rounded({ units, scale }: Decimal, digits: number): Decimal {
  return scale <= digits ? { units, scale } : { units: units / power(scale - digits), scale: digits }
}

/** All digits, grouped by thousands with a thin gap; no trailing zeros beyond `least`. */
export function writeDecimal(value: Decimal, { digits = value.scale, least = 0 } = {}): string {
  const { units, scale } = rounded(value, digits)
  const sign = units < 0n ? '−' : ''
  const all = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = all.slice(0, all.length - scale).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = scale === 0 ? '' : all.slice(-scale)
  const kept = fraction.replace(/0+$/, '').padEnd(least, '0')
  return `${sign}${whole}${kept === '' ? '' : `.${kept}`}`
}

/** As the service takes it. */
export function plainDecimal({ units, scale }: Decimal): string {
  const sign = units < 0n ? '-' : ''
  const all = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const fraction = scale === 0 ? '' : all.slice(-scale).replace(/0+$/, '')
  return `${sign}${all.slice(0, all.length - scale)}${fraction === '' ? '' : `.${fraction}`}`
}

/** For lines of a chart, and nothing else. */
export const toNumber = (text: string | null | undefined): number =>
  text === null || text === undefined ? Number.NaN : Number(text)

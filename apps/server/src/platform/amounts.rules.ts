/** A decimal string of token units: exact, no exponent, no trailing zeros. */
export function formatUnits(raw: bigint, decimals: number): string {
  const negative = raw < 0n
  const digits = (negative ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

/** The most that a contract can hold. */
const LARGEST = 2n ** 256n - 1n

/**
 * A plain decimal as the smallest units of a token; null: not a decimal, finer than the token, or more than any contract can hold.
 * Nothing is ever rounded.
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d{1,36}))?$/.exec(text)
  if (!match) return null
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) return null
  const raw = BigInt(whole + fraction.padEnd(decimals, '0'))
  return raw > LARGEST ? null : raw
}

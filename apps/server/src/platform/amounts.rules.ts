/** A decimal string of token units: exact, no exponent, no trailing zeros. */
export function formatUnits(raw: bigint, decimals: number): string {
  const negative = raw < 0n
  const digits = (negative ? -raw : raw).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

/** A plain decimal as the smallest units of a token; null: not a decimal, or finer than the token. Nothing is ever rounded. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d{1,36}))?$/.exec(text)
  if (!match) return null
  const [, whole = '', fraction = ''] = match
  if (fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

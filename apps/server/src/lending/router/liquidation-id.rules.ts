/** Routers count in 48 bits, markets too. */
const COUNTED = /^[1-9][0-9]{0,14}$/
const LARGEST = 2n ** 48n - 1n

function counted(text: string): bigint | null {
  if (!COUNTED.test(text)) return null
  const id = BigInt(text)
  return id <= LARGEST ? id : null
}

/** The number that a router gave; null: it gives no such numbers. */
export const routerIdOf = (text: string): bigint | null => counted(text)

/** What only the auction venue holds goes by the number of the market's record. */
export function venueIdOf(text: string): bigint | null {
  return text.startsWith('venue-') ? counted(text.slice('venue-'.length)) : null
}

const statuses = ['NONE', 'PENDING', 'SETTLED', 'WRITTEN_OFF'] as const

/** A market's record, in the words of this interface. */
export const statusOf = (status: number) => statuses[status] ?? 'NONE'

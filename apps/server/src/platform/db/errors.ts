/** The key changed between its look-up and the transaction that relied on it: look it up again. */
export class StaleGrantError extends Error {
  override readonly name = 'StaleGrantError'
}

/** The database cannot be reached, or went away in the middle. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** Whatever was asked took longer than we wait: a lock is held, a connection is not free, a statement is slow. Nothing was done. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** As the driver says it. */
export const connectionLost = () => Object.assign(new Error('the connection broke'), { code: 'CONNECTION_CLOSED' })

const lostConnection = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // Ended by the database because we sent nothing: this process was stopped for a while.
  '25P03',
  // Ended by the database because it was open for too long.
  '25P04',
  // Not the primary any more: a pooler or balancer still leads there for a moment.
  '25006',
])

/** Cancelled because it took too long, or waited too long for a lock. */
const tookTooLong = new Set(['57014', '55P03'])

export function isLostConnection(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && (lostConnection.has(code) || code.startsWith('08'))
}

/** What the driver throws, as one of the errors above where it is one. */
function translate(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'TA001') return new StaleGrantError('the key changed since it was looked up', { cause: error })
  if (isLostConnection(error))
    return new DatabaseUnavailableError(`the database cannot be reached (${code})`, { cause: error })
  if (typeof code === 'string' && tookTooLong.has(code))
    return new DatabaseBusyError(`the database did not do it in time (${code})`, { cause: error })
  return error
}

export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error)
  }
}

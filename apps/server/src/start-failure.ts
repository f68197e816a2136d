import { AlreadyRunningError, MissingBinaryError, PortInUseError, StartFailedError } from '@tallystick/embedded'
import { ChainDisagreementError } from './platform/chain/agreement.ts'
import { ChainUnavailableError } from './platform/chain/rpc.ts'
import { ConfigError } from './platform/config.ts'
import { DatabaseUnavailableError } from './platform/db/database.ts'

const told = [ConfigError, AlreadyRunningError, MissingBinaryError, PortInUseError, StartFailedError]

const unreachable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
]

export const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/** What stops a process from working, for the faults that a person can do something about; undefined for all others. */
export function explainKnownFault(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailableError && error.cause !== undefined) return explainKnownFault(error.cause)
  if (told.some((kind) => error instanceof kind)) return firstLine((error as Error).message)
  if (error instanceof ChainDisagreementError || error instanceof ChainUnavailableError)
    return `RPC_URL cannot be used: ${firstLine(error.message)}.`
  const fault = error as { code?: string; port?: number; message?: string }
  if (fault.code === 'EADDRINUSE')
    return `Port ${fault.port} is in use by another program. Stop it, or choose another with PORT=<number>.`
  if (fault.code === '28P01' || fault.code === '28000')
    return 'DATABASE_URL cannot be used: the database refuses this user or password.'
  if (fault.code === '3D000') return 'DATABASE_URL cannot be used: there is no such database on that server.'
  if (fault.code === '42501')
    return `DATABASE_URL cannot be used: its user lacks a right that migrations need (${firstLine(fault.message ?? '')}).`
  if (fault.code && unreachable.includes(fault.code))
    return `DATABASE_URL cannot be used: no PostgreSQL answers there (${fault.code}).`
  return undefined
}

/** One line for a person: what stops the start, and what to do about it. */
export function explainStartFailure(error: unknown): string {
  return explainKnownFault(error) ?? firstLine(`The start failed: ${(error as Error).message || String(error)}`)
}

import { AlreadyRunningError, MissingBinaryError, PortInUseError, StartFailedError } from '@tallystick/embedded'
import { ChainDisagreementError } from './platform/chain/agreement.ts'
import { ChainUnavailableError } from './platform/chain/rpc.ts'
import { ConfigError } from './platform/config.ts'

const told = [ConfigError, AlreadyRunningError, MissingBinaryError, PortInUseError, StartFailedError]

/** One line for a person: what stops the start, and what to do about it. */
export function explainStartFailure(error: unknown): string {
  if (told.some((kind) => error instanceof kind)) return (error as Error).message.split('\n')[0] ?? ''
  if (error instanceof ChainDisagreementError || error instanceof ChainUnavailableError)
    return `RPC_URL cannot be used: ${error.message}.`
  const fault = error as { code?: string; port?: number; address?: string; message?: string }
  if (fault.code === 'EADDRINUSE')
    return `Port ${fault.port} is in use by another program. Stop it, or choose another with PORT=<number>.`
  if (fault.code === '28P01' || fault.code === '28000')
    return 'DATABASE_URL cannot be used: the database refuses this user or password.'
  if (fault.code === '3D000') return 'DATABASE_URL cannot be used: there is no such database on that server.'
  if (fault.code === '42501')
    return `DATABASE_URL cannot be used: its user lacks a right that migrations need (${fault.message}).`
  const unreachable = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'CONNECT_TIMEOUT',
    'ECONNRESET',
    'CONNECTION_CLOSED',
  ]
  if (fault.code && unreachable.includes(fault.code))
    return `DATABASE_URL cannot be used: no PostgreSQL answers there (${fault.code}).`
  return `The start failed: ${fault.message ?? String(error)}`
}

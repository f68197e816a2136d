import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

function asUuid(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** A UUIDv7: sorts by the millisecond it was made in. */
export function newId(clock: Clock, random: Random): string {
  const bytes = random(16)
  bytes.writeUIntBE(clock.now().getTime(), 0, 6)
  return asUuid(bytes, 7)
}

/** The id of a row made from a chain event: the same event always gives the same id, so replaying is harmless. */
export function eventId(chainId: number, txHash: string, logIndex: number, operation: string): string {
  const digest = createHash('sha256').update(`${chainId}:${txHash.toLowerCase()}:${logIndex}:${operation}`).digest()
  return asUuid(digest.subarray(0, 16), 8)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id of another form names nothing; asking the database about it would be an error instead of "not found". */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

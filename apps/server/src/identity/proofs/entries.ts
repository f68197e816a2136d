import { fieldError } from '../../platform/app-error.ts'
import { type EntryFault, type EntryRequest, type ProofEntry, readEntries } from './proof-entries.rules.ts'

const isFault = (read: object): read is EntryFault => 'code' in read && 'field' in read

/** What was read, or its first fault as the route's answer. */
export function requireRead<T extends object>(read: T | EntryFault): T {
  if (isFault(read)) throw fieldError(read.code, [{ field: read.field, message: read.message }])
  return read
}

export const requireEntries = (requests: readonly EntryRequest[] | undefined): ProofEntry[] =>
  requireRead(readEntries(requests))

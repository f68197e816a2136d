import type { Scope } from '@tallystick/wire'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type FoundRow, findEverything } from './search.store.ts'

const EACH = 5

/** What a key must be allowed to read to be told of it. */
const scopeOf: Readonly<Record<FoundRow['kind'], Scope>> = {
  stock: 'stocks:read',
  token: 'tokens:read',
  market: 'lending:read',
  loan: 'lending:read',
  investor: 'identity:read',
  book: 'trading:read',
  transaction: 'access:read',
}

/** "Loan 7", "#7" and "7" are all the seventh. */
const loanNumber = (words: string): string | null => /^(?:loan\s*)?#?\s*(\d{1,15})$/i.exec(words)?.[1] ?? null

export async function search(tenant: TenantDatabase, caller: Caller, typed: string) {
  const words = typed.trim()
  if (words === '') return { results: [] }
  const pattern = words.toLowerCase().replace(/[%_\\]/g, '\\$&')
  const rows = await tenant.read((sql) =>
    findEverything(sql, {
      instanceId: tenant.instanceId,
      chainId: caller.instance.chainId,
      part: `%${pattern}%`,
      start: `${pattern}%`,
      loanId: loanNumber(words),
      each: EACH,
    }),
  )
  return { results: rows.filter(({ kind }) => caller.scopes.includes(scopeOf[kind])) }
}

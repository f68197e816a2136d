import postgres, { type Sql } from 'postgres'
import { inject } from 'vitest'

/** A connection past every policy into a test database, to cause faults there and to see what was really written. */
export function connectSuperuser(databaseUrl: string): Sql {
  const url = new URL(inject('clusterUrl'))
  url.pathname = new URL(databaseUrl).pathname
  return postgres(url.toString(), { max: 1, onnotice: () => undefined })
}

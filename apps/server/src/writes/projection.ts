import type { Sql } from '../platform/db/database.ts'

/**
 * Rows derived from facts. Called under the role tally_chain, in the transaction that changed facts, for every subject they
 * changed for: it makes the subject's rows what the facts that stand now say. Confirming, following, undoing and rebuilding all
 * go through it.
 */
export type Projection = (sql: Sql, chainId: number, subject: string) => Promise<void>

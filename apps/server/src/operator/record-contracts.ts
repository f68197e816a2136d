import type { OperatorAct } from '@tallystick/wire'
import { actBetween, operate } from '../platform/db/audit.ts'
import type { Database } from '../platform/db/database.ts'
import * as store from './deployments.store.ts'

interface Recording {
  readonly operation: Extract<OperatorAct, 'recordContracts' | 'setImplementation'>
  readonly chainId: number
  readonly contracts: readonly store.DeployedContract[]
  readonly now: Date
}

/** Takes down where contracts are; the act tells of those that were elsewhere, or nowhere, until now. */
export function recordContracts(database: Database, { operation, chainId, contracts, now }: Recording): Promise<void> {
  return operate(database, { operation, instanceId: null }, async (sql) => {
    const known = new Map((await store.listContracts(sql, chainId)).map(({ name, address }) => [name, address]))
    await store.recordContracts(sql, chainId, contracts, now)
    const before = Object.fromEntries(contracts.map(({ name }) => [name, known.get(name) ?? null]))
    const after = Object.fromEntries(contracts.map(({ name, address }) => [name, address]))
    return { data: undefined, act: actBetween(`chain ${chainId}`, before, after) }
  })
}

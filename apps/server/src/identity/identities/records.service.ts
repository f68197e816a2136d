import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Alongside, ConfirmedCandidate } from '../../writes/index.ts'
import type { FoundRegister } from '../register/index.ts'
import { insertRecord, type NewRecord } from './records.store.ts'

type Recorded = Pick<NewRecord, 'wallet' | 'status' | 'country' | 'investorType'> & { readonly logIndex?: number }

/** What the instance keeps about identities that a transaction changed, written with its proof. */
export function recordsOf(
  { chain, register, tenant, now }: FoundRegister & { readonly tenant: TenantDatabase; readonly now: Date },
  { transaction, logIndex }: ConfirmedCandidate,
  changed: readonly Recorded[],
): Alongside {
  const place = { chainId: chain.chainId, registry: register.address, txHash: transaction.hash }
  return {
    asTenant: async (sql) => {
      for (const one of changed) await insertRecord(sql, tenant.instanceId, { logIndex, ...place, ...one }, now)
    },
  }
}

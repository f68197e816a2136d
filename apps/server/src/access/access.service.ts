import { AppError } from '../platform/app-error.ts'
import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Random } from '../platform/random.ts'
import { readInstance } from './instances.store.ts'
import { createKeysService } from './keys.service.ts'
import { createWalletsService } from './wallets.service.ts'

export function createAccessService(tools: { clock: Clock; random: Random; chains: Chains }) {
  return {
    keys: createKeysService(tools),
    wallets: createWalletsService(tools),

    async instance(tenant: TenantDatabase, caller: Caller) {
      const [row] = await tenant.read((sql) => readInstance(sql, tenant.instanceId))
      if (!row) throw new AppError('AUTH_FAILED')
      return {
        instanceId: row.instanceId,
        name: row.name,
        chainId: Number(row.chainId),
        environment: row.environment,
        services: row.services,
        lenderApproved: row.lenderApproved,
        createdAt: row.createdAt.toISOString(),
        key: { keyId: caller.keyId, name: caller.keyName, scopes: [...caller.scopes] },
      }
    },
  }
}

export type AccessService = ReturnType<typeof createAccessService>

import { AppError } from '../platform/app-error.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { ReadyState } from '../platform/http/readiness.ts'
import type { Log } from '../platform/log.ts'
import { createApprovalPolicy } from './approval-policy.service.ts'
import { listAudit } from './audit.service.ts'
import { createBuiltTransactions } from './built-transactions.service.ts'
import { listFollowed } from './health.store.ts'
import { readInstance } from './instances.store.ts'
import { createKeyRequests } from './key-requests.service.ts'
import { createKeysService } from './keys.service.ts'
import { search } from './search.service.ts'
import { createSessionsService, type SessionTools } from './sessions.service.ts'
import { createTicketsService } from './tickets.service.ts'
import { createUsersService } from './users.service.ts'
import { createWalletsService } from './wallets.service.ts'

interface AccessTools extends SessionTools {
  readonly log: Log
  readonly version: string
  readonly look: () => Promise<ReadyState>
}

export function createAccessService(tools: AccessTools) {
  return {
    keys: createKeysService(tools),
    wallets: createWalletsService(tools),
    sessions: createSessionsService(tools),
    users: createUsersService(tools),
    tickets: createTicketsService(tools),
    built: createBuiltTransactions(tools),
    policy: createApprovalPolicy(tools),
    audit: listAudit,
    requests: createKeyRequests(tools),
    search,

    async health(tenant: TenantDatabase) {
      const [followed, { status, parts }] = await Promise.all([tenant.read(listFollowed), tools.look()])
      return {
        status,
        version: tools.version,
        parts: [...parts],
        chains: followed.map(({ chainId, followedTo, movedAt }) => ({
          chainId: Number(chainId),
          followedTo,
          movedAt: movedAt.toISOString(),
        })),
      }
    },

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

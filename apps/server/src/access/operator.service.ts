import { type OperatorAct, type Scope, type Service, scopes } from '@tallystick/wire'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import { actBetween, type Fields, operate } from '../platform/db/audit.ts'
import type { Database, Sql } from '../platform/db/database.ts'
import { isUuid, newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { formatApiKey, hashSecret, mintApiKey } from './api-key.rules.ts'
import type { InstanceRow } from './instance.rules.ts'
import * as instances from './instances.store.ts'
import { issueKey, revoke, rotate } from './keys.service.ts'
import { listKeys } from './keys.store.ts'
import { insertRegisterKey } from './register-keys.store.ts'

function audited({ name, chainId, environment, services, lenderApproved, status }: InstanceRow): Fields {
  return { name, chainId: Number(chainId), environment, services, lenderApproved, status }
}

/** What the person who runs a deployment may do to tenants. Serves the CLI and the demo, never HTTP. */
export function createOperatorService(database: Database, tools: { clock: Clock; random: Random }) {
  const asOperator = <T>(work: (sql: Sql) => Promise<T>) => database.as('tally_operator', work)

  async function change(
    operation: OperatorAct,
    instanceId: string,
    request: Parameters<typeof instances.updateInstance>[2],
  ): Promise<void> {
    const unknown = () => new AppError('INSTANCE_NOT_FOUND', { detail: `There is no instance ${instanceId}.` })
    if (!isUuid(instanceId)) throw unknown()
    await operate(database, { operation, instanceId }, async (sql) => {
      const before = await instances.lockInstance(sql, instanceId)
      const after = before && (await instances.updateInstance(sql, instanceId, request))
      if (!after) throw unknown()
      return { data: undefined, act: actBetween(after.instanceId, audited(before), audited(after)) }
    })
  }

  return {
    async createInstance(request: {
      name: string
      chainId: number
      environment: 'DEVELOPMENT' | 'PRODUCTION'
      services: Service[]
      lenderApproved?: boolean
    }) {
      const instanceId = newId(tools.clock, tools.random)
      const row = {
        instanceId,
        name: request.name,
        chainId: BigInt(request.chainId),
        environment: request.environment,
        services: request.services,
        lenderApproved: request.lenderApproved ?? false,
        createdAt: tools.clock.now(),
      }
      return operate(database, { operation: 'createInstance', instanceId }, async (sql) => {
        await instances.insertInstance(sql, row)
        const key = await issueKey(
          sql,
          instanceId,
          { name: 'default', scopes, expiresAt: null, rateLimitPerMinute: null },
          tools,
        )
        const after = { ...audited({ ...row, status: 'ACTIVE' }), firstKey: key.data.keyId }
        return { data: { instanceId, apiKey: key.data.apiKey }, act: { subject: instanceId, before: null, after } }
      })
    },
    listInstances: () => asOperator(async (sql) => [...(await instances.listInstances(sql))]),
    archiveInstance: (instanceId: string) => change('archiveInstance', instanceId, { status: 'ARCHIVED' }),
    setServices: (instanceId: string, services: Service[]) => change('setServices', instanceId, { services }),
    approveLender: (instanceId: string, approved: boolean) =>
      change('approveLender', instanceId, { lenderApproved: approved }),

    createKey: (instanceId: string, request: { name: string; scopes: readonly Scope[]; rateLimitPerMinute?: number }) =>
      operate(database, { operation: 'createKey', instanceId }, (sql) =>
        issueKey(
          sql,
          instanceId,
          { ...request, expiresAt: null, rateLimitPerMinute: request.rateLimitPerMinute ?? null },
          tools,
        ),
      ),
    listKeys: (instanceId: string) => asOperator(async (sql) => [...(await listKeys(sql, instanceId))]),
    rotateKey: (instanceId: string, keyId: string) =>
      operate(database, { operation: 'rotateKey', instanceId }, (sql) => rotate(sql, instanceId, keyId, tools, null)),
    revokeKey: (instanceId: string, keyId: string) =>
      operate(database, { operation: 'revokeKey', instanceId }, (sql) =>
        revoke(sql, instanceId, keyId, tools.clock, null),
      ),

    async createRegisterKey(name: string) {
      const minted = mintApiKey('register', tools.random)
      const row = {
        keyId: newId(tools.clock, tools.random),
        ref: minted.ref,
        secretSha256: hashSecret(minted.secret),
        name,
        createdAt: tools.clock.now(),
      }
      return operate(database, { operation: 'createRegisterKey', instanceId: null }, async (sql) => {
        await insertRegisterKey(sql, row)
        const act = { subject: row.keyId, before: null, after: { name, status: 'ACTIVE' } }
        return { data: { keyId: row.keyId, apiKey: formatApiKey(minted) }, act }
      })
    },
  }
}

export type OperatorService = ReturnType<typeof createOperatorService>

import type { Sql } from '../platform/db/database.ts'

export type ChangedFields = Readonly<Record<string, unknown>>

export interface ActRow {
  readonly actId: string
  readonly instanceId: string | null
  readonly actedAt: Date
  readonly operation: string
  readonly subject: string
  readonly actor: 'key' | 'user' | 'operator'
  readonly keyId: string | null
  readonly keyName: string | null
  readonly userId: string | null
  readonly userName: string | null
  readonly osUser: string | null
  readonly before: ChangedFields | null
  readonly after: ChangedFields | null
  readonly requestId: string | null
}

export interface ActsWanted {
  /** Null: of whatever the role may read. */
  readonly instanceId: string | null
  readonly operation: string | null
  readonly keyId: string | null
  readonly from: Date | null
  readonly to: Date | null
  /** The act after which, going back in time, the page begins. */
  readonly cursor: string | null
  readonly limit: number
}

export const listActs = (sql: Sql, wanted: ActsWanted) => sql<ActRow[]>`
  select act_id as "actId", instance_id as "instanceId", acted_at as "actedAt", operation, subject, actor, key_id as "keyId",
         key_name as "keyName", user_id as "userId", user_name as "userName", os_user as "osUser", before, after, request_id as "requestId"
  from administrative_acts
  where ${wanted.instanceId === null ? sql`true` : sql`instance_id = ${wanted.instanceId}`}
    and (${wanted.operation}::text is null or operation = ${wanted.operation})
    and (${wanted.keyId}::uuid is null or key_id = ${wanted.keyId})
    and (${wanted.from}::timestamptz is null or acted_at >= ${wanted.from})
    and (${wanted.to}::timestamptz is null or acted_at < ${wanted.to})
    and (${wanted.cursor}::uuid is null
      or (acted_at, act_id) < (select c.acted_at, c.act_id from administrative_acts c where c.act_id = ${wanted.cursor}))
  order by acted_at desc, act_id desc limit ${wanted.limit}`

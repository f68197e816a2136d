import { userInfo } from 'node:os'
import type { OperatorAct } from '@tallystick/wire'
import type { Database, Sql } from './database.ts'

type Value = string | number | boolean | null | readonly Value[] | { readonly [field: string]: Value }

/** Fields of what was administered. Whoever fills them in leaves out secrets, keys and their hashes: they are kept for ever. */
export type Fields = Readonly<Record<string, Value>>

/** What an administrative operation changed: null before is something new, null after something that is gone. */
export interface Act {
  readonly subject: string
  readonly before: Fields | null
  readonly after: Fields | null
}

/** What an administrative operation answers, and its act; null: it found everything as it was asked to be. */
export interface Administered<T> {
  readonly data: T
  readonly act: Act | null
}

const sameValue = (one: Value | undefined, other: Value | undefined) => JSON.stringify(one) === JSON.stringify(other)

/** The act that leads from one state of a thing to another: only the fields that differ. */
export function actBetween(subject: string, before: Fields, after: Fields): Act | null {
  const names = Object.keys({ ...before, ...after }).filter((name) => !sameValue(before[name], after[name]))
  if (names.length === 0) return null
  const picked = (fields: Fields) =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name] ?? null]))
  return { subject, before: picked(before), after: picked(after) }
}

interface NewRow extends Act {
  readonly instanceId: string | null
  readonly operation: string
  readonly keyId: string | null
  readonly keyName: string | null
  readonly osUser: string | null
  readonly requestId: string | null
}

const asJson = (fields: Fields | null) => (fields === null ? null : JSON.stringify(fields))

async function insertAct(sql: Sql, row: NewRow): Promise<void> {
  await sql`
    insert into administrative_acts (instance_id, actor, key_id, key_name, os_user, operation, subject, before, after, request_id)
    values (${row.instanceId}, ${row.keyId === null ? 'operator' : 'key'}, ${row.keyId}, ${row.keyName}, ${row.osUser}, ${row.operation},
            ${row.subject}, ${asJson(row.before)}::text::jsonb, ${asJson(row.after)}::text::jsonb, ${row.requestId})`
}

/** Whose key it was. */
interface KeyHolder {
  readonly instance: { readonly instanceId: string }
  readonly keyId: string
  readonly keyName: string
}

/** An act over HTTP. The door calls it for every operation that is declared administrative. */
export const recordActOfKey = (
  sql: Sql,
  { caller, operation, requestId }: { caller: KeyHolder; operation: string; requestId: string },
  act: Act,
): Promise<void> => {
  const { instance, keyId, keyName } = caller
  return insertAct(sql, {
    ...act,
    instanceId: instance.instanceId,
    operation,
    keyId,
    keyName,
    osUser: null,
    requestId,
  })
}

function osUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number that nobody gave a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Who is at the command line, and what is done to whom. Null: to the deployment itself. */
export interface OperatorRequest {
  readonly operation: OperatorAct
  readonly instanceId: string | null
}

export const recordActOfOperator = (sql: Sql, { operation, instanceId }: OperatorRequest, act: Act): Promise<void> =>
  insertAct(sql, { ...act, instanceId, operation, keyId: null, keyName: null, osUser: osUser(), requestId: null })

/** One act of the operator: the work and its row in one commit. */
export const operate = <T>(
  database: Database,
  request: OperatorRequest,
  work: (sql: Sql) => Promise<Administered<T>>,
): Promise<T> =>
  database.as('tally_operator', async (sql) => {
    const { data, act } = await work(sql)
    if (act) await recordActOfOperator(sql, request, act)
    return data
  })

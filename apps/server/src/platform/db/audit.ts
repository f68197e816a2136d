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

/** Who acted. */
type Actor =
  | { readonly actor: 'key'; readonly keyId: string; readonly keyName: string }
  | { readonly actor: 'user'; readonly userId: string; readonly userName: string }
  | { readonly actor: 'operator'; readonly osUser: string }

interface NewRow extends Act {
  readonly instanceId: string | null
  readonly operation: string
  readonly by: Actor
  readonly requestId: string | null
}

const asJson = (fields: Fields | null) => (fields === null ? null : JSON.stringify(fields))

const nobody = { keyId: null, keyName: null, userId: null, userName: null, osUser: null }

async function insertAct(sql: Sql, row: NewRow): Promise<void> {
  const { actor, keyId, keyName, userId, userName, osUser: byOsUser } = { ...nobody, ...row.by }
  await sql`
    insert into administrative_acts (instance_id, actor, key_id, key_name, user_id, user_name, os_user, operation, subject, before, after,
                                     request_id)
    values (${row.instanceId}, ${actor}, ${keyId}, ${keyName}, ${userId}, ${userName}, ${byOsUser}, ${row.operation}, ${row.subject},
             ${asJson(row.before)}::text::jsonb, ${asJson(row.after)}::text::jsonb, ${row.requestId})`
}

/** Whose key or session it was. */
interface KeyHolder {
  readonly instance: { readonly instanceId: string }
  readonly keyId: string
  readonly keyName: string
  readonly session?: {
    readonly user: { readonly userId: string; readonly name: string } | null
    readonly parentKeyId: string | null
  }
}

/** What is done in a session that was begun with a key was done with that key. */
function actorOf({ keyId, keyName, session }: KeyHolder): Actor {
  if (session?.user) return { actor: 'user', userId: session.user.userId, userName: session.user.name }
  return { actor: 'key', keyId: session?.parentKeyId ?? keyId, keyName }
}

/** An act over HTTP. The door calls it for every operation that is declared administrative. */
export const recordActOfKey = (
  sql: Sql,
  { caller, operation, requestId }: { caller: KeyHolder; operation: string; requestId: string },
  act: Act,
): Promise<void> => {
  const { instanceId } = caller.instance
  return insertAct(sql, { ...act, instanceId, operation, by: actorOf(caller), requestId })
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
  insertAct(sql, { ...act, instanceId, operation, by: { actor: 'operator', osUser: osUser() }, requestId: null })

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

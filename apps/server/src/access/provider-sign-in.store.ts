import type { Sql } from '../platform/db/database.ts'
import type { ProvenIdentity, UserOfInstance } from './session.rules.ts'

/** Somebody who was sent to the identity provider. All of this needs the role tally_operator: nobody knows yet whose it is. */
export interface FlowRow {
  readonly stateSha256: Buffer
  readonly browserSha256: Buffer
  readonly domain: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly proven: ProvenIdentity | null
  readonly expiresAt: Date
}

export async function insertFlow(sql: Sql, flow: FlowRow): Promise<void> {
  const { stateSha256, browserSha256, domain, nonce, codeVerifier, proven, expiresAt } = flow
  await sql`
    insert into sign_in_flows (state_sha256, browser_sha256, domain, nonce, code_verifier, issuer, subject, email, expires_at)
    values (${stateSha256}, ${browserSha256}, ${domain}, ${nonce}, ${codeVerifier}, ${proven?.issuer ?? null},
            ${proven?.subject ?? null}, ${proven?.email ?? null}, ${expiresAt})`
}

interface StoredFlow extends Omit<FlowRow, 'proven'> {
  readonly issuer: string | null
  readonly subject: string | null
  readonly email: string | null
}

export type FlowKey = Pick<FlowRow, 'stateSha256' | 'browserSha256' | 'domain'>

/** Takes it away, so that it serves once. */
export async function takeFlow(sql: Sql, key: FlowKey, now: Date): Promise<FlowRow | undefined> {
  const [row] = await sql<StoredFlow[]>`
    delete from sign_in_flows
    where state_sha256 = ${key.stateSha256} and browser_sha256 = ${key.browserSha256} and domain = ${key.domain}
      and expires_at > ${now}
    returning state_sha256 as "stateSha256", browser_sha256 as "browserSha256", domain, nonce,
              code_verifier as "codeVerifier", issuer, subject, email, expires_at as "expiresAt"`
  if (!row) return undefined
  const { issuer, subject, email, ...flow } = row
  return { ...flow, proven: issuer === null || subject === null ? null : { issuer, subject, email } }
}

/** As whom somebody can sign in: those who are known by their subject, and those whom an invitation waits for. */
export const listUsersOfIdentity = (sql: Sql, { issuer, subject, email }: ProvenIdentity) => sql<UserOfInstance[]>`
  select u.user_id as "userId", u.address, u.email, u.name, u.role, u.created_at as "createdAt", i.instance_id as "instanceId",
         i.name as "instanceName"
  from users u join instances i using (instance_id)
  where i.status = 'ACTIVE'
    and ((u.oidc_issuer = ${issuer} and u.oidc_subject = ${subject}) or (u.oidc_subject is null and u.email = ${email}))
  order by i.created_at, i.instance_id
  for update of u`

/** From now on whoever has the address later is somebody else. */
export async function bindUser(sql: Sql, userId: string, { issuer, subject }: ProvenIdentity): Promise<void> {
  await sql`
    update users set oidc_issuer = ${issuer}, oidc_subject = ${subject} where user_id = ${userId} and oidc_subject is null`
}

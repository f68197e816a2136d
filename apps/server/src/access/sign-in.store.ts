import type { Sql } from '../platform/db/database.ts'
import type { ProvenIdentity, UserOfInstance } from './session.rules.ts'

/** What a wallet was asked to sign, before anybody knows whose it is: all of this needs the role tally_operator. */
export interface ChallengeRow {
  readonly nonce: string
  readonly address: string
  readonly chainId: number
  readonly domain: string
  readonly message: string
  readonly expiresAt: Date
}

export async function insertChallenge(sql: Sql, challenge: ChallengeRow): Promise<void> {
  const { nonce, address, chainId, domain, message, expiresAt } = challenge
  await sql`
    insert into sign_in_challenges (nonce, address, chain_id, domain, message, expires_at)
    values (${nonce}, ${address}, ${chainId}, ${domain}, ${message}, ${expiresAt})`
}

export interface ChallengeKey {
  readonly nonce: string
  readonly address: string
  readonly domain: string
}

const columns = (sql: Sql) =>
  sql`nonce, address, chain_id::int as "chainId", domain, message, expires_at as "expiresAt"`

export async function readChallenge(sql: Sql, key: ChallengeKey, now: Date): Promise<ChallengeRow | undefined> {
  const [row] = await sql<ChallengeRow[]>`
    select ${columns(sql)} from sign_in_challenges
    where nonce = ${key.nonce} and address = ${key.address} and domain = ${key.domain} and expires_at > ${now}`
  return row
}

/** Takes the challenge away, so that it serves once. */
export async function useChallenge(sql: Sql, nonce: string): Promise<boolean> {
  const rows = await sql`delete from sign_in_challenges where nonce = ${nonce} returning 1`
  return rows.length > 0
}

const usersOfInstances = (sql: Sql) => sql`
  select u.user_id as "userId", u.address, u.email, u.name, u.role, u.created_at as "createdAt", i.instance_id as "instanceId",
         i.name as "instanceName"
  from users u join instances i on i.instance_id = u.instance_id and i.status = 'ACTIVE'`

/** As whom a wallet can sign in, on one chain. */
export const listUsersOfWallet = (sql: Sql, address: string, chainId: number) => sql<UserOfInstance[]>`
  ${usersOfInstances(sql)} where u.address = ${address} and i.chain_id = ${chainId}
  order by i.created_at, i.instance_id for share of u`

/** As whom somebody can sign in: those who are known by their subject, and those whom an invitation waits for. */
export const listUsersOfIdentity = (sql: Sql, { issuer, subject, email }: ProvenIdentity) => sql<UserOfInstance[]>`
  ${usersOfInstances(sql)}
  where (u.oidc_issuer = ${issuer} and u.oidc_subject = ${subject}) or (u.oidc_subject is null and u.email = ${email})
  order by i.created_at, i.instance_id for update of u`

/** From now on whoever has the address later is somebody else. */
export async function bindUser(sql: Sql, userId: string, { issuer, subject }: ProvenIdentity): Promise<void> {
  await sql`
    update users set oidc_issuer = ${issuer}, oidc_subject = ${subject} where user_id = ${userId} and oidc_subject is null`
}

import type { Sql } from '../platform/db/database.ts'
import type { ProvenIdentity } from './session.rules.ts'

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

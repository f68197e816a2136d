import type { Sql } from '../platform/db/database.ts'

/** Answers, challenges, tickets and claims that no request can use any more. Needs the role tally_operator, since it crosses tenants. */
export async function purgeExpired(sql: Sql, now: Date): Promise<number> {
  const answers =
    await sql`delete from idempotency_keys where created_at <= ${now}::timestamptz - interval '24 hours' returning 1`
  const challenges = await sql`delete from wallet_challenges where expires_at <= ${now} returning 1`
  const claims =
    await sql`delete from idempotency_claims where claimed_until <= ${now}::timestamptz - interval '1 hour' returning 1`
  const signIns = await sql`delete from sign_in_challenges where expires_at <= ${now} returning 1`
  const flows = await sql`delete from sign_in_flows where expires_at <= ${now} returning 1`
  const tickets = await sql`delete from stream_tickets where expires_at <= ${now} returning 1`
  // Kept for a day, so that what a log says of one can be understood; its rows go together.
  const sessions =
    await sql`delete from api_keys where is_session and expires_at <= ${now}::timestamptz - interval '1 day' returning 1`
  const built =
    await sql`delete from built_transactions where built_at <= ${now}::timestamptz - interval '90 days' returning 1`
  const all = [built, answers, challenges, claims, signIns, flows, tickets, sessions]
  return all.reduce((sum, { length }) => sum + length, 0)
}

import type { Sql } from '../platform/db/database.ts'

export interface NewTicket {
  readonly ticketSha256: Buffer
  readonly keyId: string
  readonly path: string
  readonly expiresAt: Date
}

export async function insertTicket(sql: Sql, instanceId: string, ticket: NewTicket): Promise<void> {
  const { ticketSha256, keyId, path, expiresAt } = ticket
  await sql`
    insert into stream_tickets (instance_id, ticket_sha256, key_id, path, expires_at)
    values (${instanceId}, ${ticketSha256}, ${keyId}, ${path}, ${expiresAt})`
}

export interface UsedTicket {
  readonly ticketSha256: Buffer
  readonly path: string
  readonly now: Date
}

/** Takes the ticket away, so that it serves once, and answers the ref of its key. Needs the role tally_operator: nobody is known yet. */
export async function useTicket(sql: Sql, { ticketSha256, path, now }: UsedTicket): Promise<string | undefined> {
  const [row] = await sql<{ ref: string }[]>`
    delete from stream_tickets t using api_keys k
    where t.ticket_sha256 = ${ticketSha256} and t.path = ${path} and t.expires_at > ${now} and k.key_id = t.key_id
    returning k.ref`
  return row?.ref
}

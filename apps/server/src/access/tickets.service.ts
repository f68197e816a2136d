import { operations } from '@tallystick/wire'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Random } from '../platform/random.ts'
import { hashTicket } from './api-key.rules.ts'
import { insertTicket } from './tickets.store.ts'

const TICKET_TTL_MS = 60_000

const pathForm = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?#]+')}$`)

const streamPaths: readonly RegExp[] = operations
  .filter(({ stream }) => stream)
  .flatMap(({ path, alsoAt = [] }) => [path, ...alsoAt].map(pathForm))

export function createTicketsService({ clock, random }: { clock: Clock; random: Random }) {
  return {
    /** What it opens is decided when it is used: whoever made it may be somebody else by then. */
    async create(tenant: TenantDatabase, caller: Caller, path: string) {
      if (!streamPaths.some((form) => form.test(path))) throw new AppError('STREAM_NOT_FOUND')
      const ticket = random(32).toString('hex')
      const expiresAt = new Date(clock.now().getTime() + TICKET_TTL_MS)
      const made = { ticketSha256: hashTicket(ticket), keyId: caller.keyId, path, expiresAt }
      await tenant.transaction((sql) => insertTicket(sql, tenant.instanceId, made))
      return { ticket, path, expiresAt: expiresAt.toISOString() }
    },
  }
}

import { ticketOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const createStreamTicketRoute = ({ tickets }: AccessService) =>
  route(ticketOperations.createStreamTicket, async ({ tenant, caller, body }) => ({
    data: await tickets.create(tenant, caller, body.path),
  }))

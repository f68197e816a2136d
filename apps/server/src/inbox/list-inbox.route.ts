import { inboxOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { Inbox } from './inbox.service.ts'

export const listInboxRoute = (list: Inbox) =>
  route(inboxOperations.listInbox, ({ tenant, caller, query }) => list(tenant, caller, query))

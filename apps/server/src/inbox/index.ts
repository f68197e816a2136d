import type { Route } from '../platform/http/route.ts'
import { createInbox, type InboxParts } from './inbox.service.ts'
import { listInboxRoute } from './list-inbox.route.ts'

export const inboxRoutes = (parts: InboxParts): Route[] => [listInboxRoute(createInbox(parts))]

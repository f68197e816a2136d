import { sessionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const endSessionsRoute = ({ sessions }: AccessService) =>
  administrativeRoute(sessionOperations.endSessions, ({ tenant, query }) => sessions.endAll(tenant, query.userId))

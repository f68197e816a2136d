import { sessionOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const endSessionRoute = ({ sessions }: AccessService) =>
  administrativeRoute(sessionOperations.endSession, ({ tenant, params }) => sessions.end(tenant, params.sessionId))

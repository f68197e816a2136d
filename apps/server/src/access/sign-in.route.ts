import { sessionOperations } from '@tallystick/wire'
import { openRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const signInRoute = ({ sessions }: AccessService) =>
  openRoute(sessionOperations.signIn, ({ body, ...place }) => sessions.signIn(body, place))

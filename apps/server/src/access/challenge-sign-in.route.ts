import { sessionOperations } from '@tallystick/wire'
import { openRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const challengeSignInRoute = ({ sessions }: AccessService) =>
  openRoute(sessionOperations.challengeSignIn, async ({ body, origin }) => ({
    data: await sessions.challenge(body, origin),
  }))

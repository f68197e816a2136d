import { sessionOperations } from '@tallystick/wire'
import { openRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const beginProviderSignInRoute = ({ sessions }: AccessService) =>
  openRoute(sessionOperations.beginProviderSignIn, async ({ origin }) => ({
    data: await sessions.beginAtProvider(origin),
  }))

import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const setProfileRoute = (tokens: TokensService) =>
  route(tokensOperations.setProfile, async ({ tenant, params, body }) => ({
    data: await tokens.setProfile(tenant, params.tokenAddress, body.profile),
  }))

import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const setImageRoute = (tokens: TokensService) =>
  route(tokensOperations.setImage, async ({ tenant, params, body }) => ({
    data: await tokens.setImage(tenant, params.tokenAddress, body.imageURI),
  }))

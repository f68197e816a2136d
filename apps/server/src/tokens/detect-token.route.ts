import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const detectTokenRoute = (tokens: TokensService) =>
  route(tokensOperations.detectToken, ({ tenant, caller, body }) =>
    tokens.detect(tenant, caller.instance, body.tokenAddress),
  )

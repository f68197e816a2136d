import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const importTokenRoute = (tokens: TokensService) =>
  route(tokensOperations.importToken, ({ tenant, caller, body }) => tokens.import(tenant, caller.instance, body))

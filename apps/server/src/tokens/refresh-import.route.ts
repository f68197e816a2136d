import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const refreshImportRoute = (tokens: TokensService) =>
  route(tokensOperations.refreshImport, ({ tenant, caller, params }) =>
    tokens.refresh(tenant, caller.instance, params.tokenAddress),
  )

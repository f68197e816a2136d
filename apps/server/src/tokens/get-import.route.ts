import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const getImportRoute = (tokens: TokensService) =>
  route(tokensOperations.getImport, async ({ tenant, params }) => ({
    data: await tokens.get(tenant, params.tokenAddress),
  }))

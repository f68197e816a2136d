import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const revokeImportRoute = (tokens: TokensService) =>
  route(tokensOperations.revokeImport, async ({ tenant, params }) => {
    await tokens.revoke(tenant, params.tokenAddress)
    return { data: { removed: true } as const }
  })

import { tokensOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { TokensService } from './tokens.service.ts'

export const listImportsRoute = (tokens: TokensService) =>
  route(tokensOperations.listImports, async ({ tenant }) => ({ data: await tokens.list(tenant) }))

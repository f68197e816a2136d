import type { Route } from '../platform/http/route.ts'
import { detectTokenRoute } from './detect-token.route.ts'
import { getImportRoute } from './get-import.route.ts'
import { importTokenRoute } from './import-token.route.ts'
import { listImportsRoute } from './list-imports.route.ts'
import { refreshImportRoute } from './refresh-import.route.ts'
import { revokeImportRoute } from './revoke-import.route.ts'
import { setImageRoute } from './set-image.route.ts'
import { setProfileRoute } from './set-profile.route.ts'
import type { TokensService } from './tokens.service.ts'

export { type ImportRow, listActiveOfFramework, listErc20, readActive as readActiveImport } from './imports.store.ts'
export { isIsin, isPublicUri, isStorableText } from './profile.rules.ts'
export { createTokenImporter } from './token-importer.service.ts'
export { createTokensService } from './tokens.service.ts'

export const tokensRoutes = (tokens: TokensService): Route[] => [
  listImportsRoute(tokens),
  detectTokenRoute(tokens),
  importTokenRoute(tokens),
  getImportRoute(tokens),
  refreshImportRoute(tokens),
  setProfileRoute(tokens),
  setImageRoute(tokens),
  revokeImportRoute(tokens),
]

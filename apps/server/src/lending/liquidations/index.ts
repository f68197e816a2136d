import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'

export const liquidationsRoutes = (_parts: LendingParts): Route[] => []

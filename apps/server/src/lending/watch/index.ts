import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'

export const watchRoutes = (_parts: LendingParts): Route[] => []

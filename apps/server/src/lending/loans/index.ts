import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'

export const loansRoutes = (_parts: LendingParts): Route[] => []

import type { Route } from '../../platform/http/route.ts'
import type { StocksParts } from '../parts.ts'
import * as compliance from './compliance.writes.ts'
import * as control from './control.writes.ts'
import * as registry from './registry.writes.ts'
import * as roles from './roles.writes.ts'
import * as split from './split.writes.ts'
import * as supply from './supply.writes.ts'

export { relayed, unsigned } from './built.ts'

/** Every write of a stock token. */
const writes = [supply, split, control, roles, registry, compliance].flatMap((family) => Object.values(family))

export const writeRoutes = (parts: StocksParts): Route[] => writes.map((write) => write(parts))

import type { Route } from '../platform/http/route.ts'
import type { Projection } from '../writes/index.ts'
import { deployRoutes } from './deploy/index.ts'
import { fetchRoutes } from './fetch/index.ts'
import type { StocksParts } from './parts.ts'
import { recordRoutes } from './records/index.ts'
import { writeRoutes } from './writes/index.ts'

export { stocksKinds } from './contracts.ts'

/** A record stands by the facts themselves: nothing is derived from them. */
export const stocksProjections: readonly Projection[] = []

export const stocksRoutes = (parts: StocksParts): Route[] =>
  [deployRoutes, writeRoutes, recordRoutes, fetchRoutes].flatMap((routes) => routes(parts))

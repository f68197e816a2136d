import type { Route } from '../../platform/http/route.ts'
import type { ClassReferencesService } from './class-references.service.ts'
import { getPriceReferenceRoute } from './get-price-reference.route.ts'
import { listPriceReferenceHistoryRoute } from './list-price-reference-history.route.ts'
import { setPriceReferenceRoute } from './set-price-reference.route.ts'

export { createClassReferencesService } from './class-references.service.ts'
export { startFeedJob } from './feed.job.ts'
export { createFeedRefresh } from './feed-refresh.service.ts'
export { createFeedSources, type FeedOptions } from './feed-sources.ts'
export { createPriceReferenceService, type PriceReferenceService } from './price-reference.service.ts'

export const referenceRoutes = (references: ClassReferencesService): Route[] => [
  getPriceReferenceRoute(references),
  setPriceReferenceRoute(references),
  listPriceReferenceHistoryRoute(references),
]

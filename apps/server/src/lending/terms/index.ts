import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { deleteTermsRoute } from './delete-terms.route.ts'
import { exportTermsRoute } from './export-terms.route.ts'
import { getTermsRoute } from './get-terms.route.ts'
import { getTermsVersionRoute } from './get-terms-version.route.ts'
import { listTermsVersionsRoute } from './list-terms-versions.route.ts'
import { putTermsRoute } from './put-terms.route.ts'
import { createReadTerms } from './read-terms.service.ts'
import { createWriteTerms } from './write-terms.service.ts'

export { drawnText } from './terms-pdf.ts'

export const termsRoutes = (parts: LendingParts): Route[] => {
  const reading = createReadTerms(parts)
  const writing = createWriteTerms(parts)
  return [
    getTermsRoute(reading),
    putTermsRoute(writing),
    deleteTermsRoute(writing),
    listTermsVersionsRoute(reading),
    getTermsVersionRoute(reading),
    exportTermsRoute(reading),
  ]
}

import type { Route } from '../../platform/http/route.ts'
import type { Log } from '../../platform/log.ts'
import type { RepeatedJob } from '../../platform/repeat.ts'
import { acceptQuoteRoute } from './accept-quote.route.ts'
import { cancelRfqRoute } from './cancel-rfq.route.ts'
import { getRfqRoute } from './get-rfq.route.ts'
import { listRfqQuotesRoute } from './list-rfq-quotes.route.ts'
import { listRfqsRoute } from './list-rfqs.route.ts'
import { openRfqRoute } from './open-rfq.route.ts'
import { prepareRfqRoute } from './prepare-rfq.route.ts'
import type { Rfqs } from './rfqs.service.ts'
import { streamRfqsRoute } from './stream-rfqs.route.ts'
import { submitQuoteRoute } from './submit-quote.route.ts'
import { startSweepJob } from './sweep.job.ts'
import { withdrawQuoteRoute } from './withdraw-quote.route.ts'

export { createRfqs, type Rfqs } from './rfqs.service.ts'

export const rfqRoutes = (rfqs: Rfqs): Route[] => [
  openRfqRoute(rfqs),
  listRfqsRoute(rfqs),
  getRfqRoute(rfqs),
  streamRfqsRoute(rfqs),
  listRfqQuotesRoute(rfqs),
  prepareRfqRoute(rfqs),
  submitQuoteRoute(rfqs),
  withdrawQuoteRoute(rfqs),
  acceptQuoteRoute(rfqs),
  cancelRfqRoute(rfqs),
]

export const startRfqJobs = ({ sweeping }: Rfqs, log: Log): RepeatedJob[] => [startSweepJob(sweeping, log)]

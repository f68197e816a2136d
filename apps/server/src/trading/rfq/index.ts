import type { Route } from '../../platform/http/route.ts'
import type { Log } from '../../platform/log.ts'
import type { RepeatedJob } from '../../platform/repeat.ts'
import { acceptQuoteRoute } from './accept-quote.route.ts'
import { createAcceptance } from './acceptance.service.ts'
import { cancelRfqRoute } from './cancel-rfq.route.ts'
import { getRfqRoute } from './get-rfq.route.ts'
import { listRfqQuotesRoute } from './list-rfq-quotes.route.ts'
import { listRfqsRoute } from './list-rfqs.route.ts'
import { createNoticeStreams } from './notice-stream.service.ts'
import { createNotices } from './notices.service.ts'
import { openRfqRoute } from './open-rfq.route.ts'
import type { RfqParts } from './parts.ts'
import { createPrepare } from './prepare.service.ts'
import { prepareRfqRoute } from './prepare-rfq.route.ts'
import { createQuotes } from './quotes.service.ts'
import { createRequests } from './requests.service.ts'
import { streamRfqsRoute } from './stream-rfqs.route.ts'
import { submitQuoteRoute } from './submit-quote.route.ts'
import { startSweepJob } from './sweep.job.ts'
import { createSweep } from './sweep.service.ts'
import { withdrawQuoteRoute } from './withdraw-quote.route.ts'

/** Requests for quote: `eventsAfter` of `notices` is what a stream of them reads. */
export function createRfqs(parts: RfqParts) {
  const notices = createNotices(parts.database)
  const all = { ...parts, notices }
  return {
    notices,
    noticeStreams: createNoticeStreams(all),
    requests: createRequests(all),
    quotes: createQuotes(all),
    prepare: createPrepare(parts),
    accept: createAcceptance(all),
    sweeping: createSweep(all),
  }
}

export type Rfqs = ReturnType<typeof createRfqs>

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

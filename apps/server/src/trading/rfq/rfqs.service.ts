import { createAcceptance } from './acceptance.service.ts'
import { createNoticeStreams } from './notice-stream.service.ts'
import { createNotices } from './notices.service.ts'
import type { RfqParts } from './parts.ts'
import { createPrepare } from './prepare.service.ts'
import { createQuotes } from './quotes.service.ts'
import { createRequests } from './requests.service.ts'
import { createSweep } from './sweep.service.ts'

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

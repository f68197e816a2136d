import { rfqOperations } from '@tallystick/wire'
import { streamRoute } from '../../platform/http/route.ts'
import type { Rfqs } from './rfqs.service.ts'

export const streamRfqsRoute = ({ noticeStreams }: Rfqs) =>
  streamRoute(rfqOperations.streamRfqs, ({ tenant, query, lastEventId }) =>
    noticeStreams.open(tenant, { after: query.after, lastEventId }),
  )

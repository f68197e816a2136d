import { isCode } from '../api/client.ts'
import { getRequest, type Request } from '../api/rfq.ts'
import { isRejection } from '../signing/sign.ts'
import { t } from '../texts/index.ts'
import { showUnits } from '../trade/units.ts'
import { messageOf } from '../ui/loading.tsx'

export interface Said {
  readonly tone: 'good' | 'bad' | 'warn'
  readonly text: string
}

const text = t.rfq.outcomes

/** What became of a request, in one sentence. */
export function saidOf(request: Request): Said {
  const accepted = request.quotes.find(({ status }) => status === 'ACCEPTED')
  if (request.status === 'ACCEPTED')
    return { tone: 'warn', text: `${text.already} ${accepted ? showUnits(accepted.price) : ''}`.trim() }
  if (request.status === 'CANCELLED') return { tone: 'warn', text: text.cancelled }
  return { tone: 'warn', text: request.status === 'EXPIRED' ? text.expired : text.quoteGone }
}

/** Who comes second in a race is told what came first, and nothing else. */
export async function saidAfter(error: unknown, requestId: string): Promise<Said> {
  if (isRejection(error)) return { tone: 'bad', text: t.signing.rejected }
  if (isCode(error, 'RFQ_EXPIRED', 'QUOTE_EXPIRED'))
    try {
      return saidOf(await getRequest(requestId))
    } catch {
      return { tone: 'warn', text: messageOf(error) }
    }
  return { tone: 'bad', text: messageOf(error) }
}

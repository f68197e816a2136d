import { DemoRefusedError } from '../demo-client.ts'
import type { DemoRfq } from '../demo-world.ts'
import { expiryAt, type Prepared, signPrepared } from './place-orders.ts'
import { priceAt, rfqPlan, unitsOf } from './trading-plan.ts'
import type { DemoBook, TradingStage } from './trading-stage.ts'

const RFQ = '/orderbooks/stocks/api/rfq'
const ACCOUNTS = '/orderbooks/stocks/api/accounts'
const LIVES_MS = 60_000
/** There is always one with so much left. */
const REPLACED_BEFORE_MS = 25_000

interface Request {
  readonly id: string
  readonly status: string
  readonly side: 'BUY' | 'SELL'
  readonly requesterAddress: string
  readonly baseToken: string
  readonly expiresAt: string
  readonly quotes: readonly { readonly lpAddress: string; readonly status: string }[]
}

/** The issuer platform answers requests of its customers, by an account that may. */
export async function ensureProvider({ issuer }: TradingStage): Promise<void> {
  const userAddress = issuer.account.address
  const { accounts } = await issuer.call<{ accounts: object[] }>('GET', `${ACCOUNTS}?userAddress=${userAddress}`)
  if (accounts.length > 0) return
  const body = { userAddress, name: 'Issuer platform, quotes', isMarketMaker: true, canQuote: true }
  await issuer.call('POST', ACCOUNTS, body)
}

export const openRequests = async ({ issuer }: TradingStage): Promise<readonly Request[]> =>
  (await issuer.call<{ rfqs: Request[] }>('GET', `${RFQ}?status=PENDING`)).rfqs

export async function quote(stage: TradingStage, rfqId: string, price: bigint): Promise<void> {
  const { issuer } = stage
  const lpAddress = issuer.account.address
  const prepared = await issuer.call<Prepared>('POST', `${RFQ}/${rfqId}/prepare`, {
    ...{ userAddress: lpAddress, price: price.toString(), expiry: expiryAt(stage) },
  })
  const terms = await signPrepared(issuer.account, prepared)
  await issuer.call('POST', `${RFQ}/${rfqId}/quotes`, { lpAddress, price: price.toString(), ...terms })
}

async function find({ issuer }: TradingStage, known: DemoRfq | undefined): Promise<Request | undefined> {
  if (!known) return undefined
  try {
    return await issuer.call<Request>('GET', `${RFQ}/${known.rfqId}`)
  } catch (error) {
    if (error instanceof DemoRefusedError) return undefined
    throw error
  }
}

/** One request is open, with a quote on it. The one before is left to its end: somebody may be about to accept it. */
export async function keepRequest(stage: TradingStage, book: DemoBook): Promise<void> {
  const { world, clock, issuer, traders } = stage
  const known = await find(stage, world.rfqs[rfqPlan.label])
  const isOpen = known?.status === 'PENDING' || known?.status === 'QUOTED'
  const left = known && isOpen ? Date.parse(known.expiresAt) - clock.now().getTime() : 0
  const { account } = traders.borrower
  let request = known
  if (left < REPLACED_BEFORE_MS) {
    request = await issuer.call<Request>('POST', RFQ, {
      ...{ requesterAddress: account.address, baseToken: book.base, quoteToken: book.quote },
      ...{ custodyContract: book.custody, side: rfqPlan.side, baseAmount: unitsOf(rfqPlan.quantity).toString() },
      expiryMs: LIVES_MS,
    })
  }
  if (!request) return
  if (request === known && known.quotes.some(({ status }) => status === 'ACTIVE')) return
  await quote(stage, request.id, priceAt(book.plan, rfqPlan.quoteBps))
  // Only now: whoever reads of it finds the quote too.
  world.rfqs[rfqPlan.label] = { instance: 'issuer', rfqId: request.id }
}

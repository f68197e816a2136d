import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const requests = testsIn('apps/server/src/trading/rfq/rfq.route.test.ts', 'requests for quote')
const quoting = testsIn('apps/server/src/trading/rfq/submit-quote.route.test.ts', 'quoting')
const accepting = testsIn('apps/server/src/trading/rfq/accept-quote.route.test.ts', 'accepting a quote')
const staged = testsIn('apps/server/src/trading/settlements/settlements.route.test.ts', 'a staged trade')
const paths = testsIn('apps/server/test/conformance/paths.test.ts', 'what is promised of paths')

const opened = requests('asking opens a request for the time that was asked for, held within 5 and 60 seconds')
const reading = requests('reading shows what the instance opened, and nothing to others')
const expired = requests('reading shows a deadline that has passed before anybody swept')
const cancelled = requests('cancelling withdraws all quotes and frees what they reserved; once more answers the same')
const reserved = quoting("reserves the provider's side, and takes the place of the provider's older quote")
const accepted = accepting(
  'makes the trade, withdraws the other quotes, and stages a settlement that both signatures carry',
)
const once = accepting('is for the requester, while request and quote last')
const settled = staged('of commodities is signed by the operator, proven by its event, and final with its block')
const promise = 'GET /orderbooks/stocks/api/rfq/{id}'
const read = { operation: 'getRfq', leg: 'read' } as const

export const requestForQuoteRows: readonly Row[] = [
  ...fieldRows({ ...read, section: '2.rfq', at: 'data' }, opened, {
    id: ['string', 'The request.'],
    instanceId: ['string', 'The instance that opened it.'],
    requesterAddress: ['string', 'The wallet that asks.'],
    baseToken: ['string', 'What is traded.'],
    quoteToken: ['string', 'What is paid with.'],
    custodyContract: ['string', 'Where both lie.'],
    side: ['string', 'BUY or SELL.'],
    baseAmount: ['string', 'Size, order book units.'],
    status: ['string', 'PENDING, QUOTED, ACCEPTED, CANCELLED or EXPIRED.', expired],
    expiresAt: ['string', 'ISO 8601.'],
    createdAt: ['string', 'ISO 8601.'],
    updatedAt: ['string', 'ISO 8601.'],
    quotes: ['array', 'Quotes in any state.', reserved],
  }),
  ...fieldRows({ ...read, section: '2.quote', at: 'data.quotes[]' }, reserved, {
    id: ['string', 'The quote, as it is accepted.'],
    quoteRequestId: ['string', 'The request it answers.'],
    lpAddress: ['string', 'The wallet of the provider.'],
    lpAccountId: ['string', 'The trading account of the provider; every provider has one here, so never null.'],
    price: ['string', 'Order book units.'],
    validUntil: ['string', 'ISO 8601, never after the end of the request.'],
    lockId: ['string', 'What holds the funds of the provider; every quote has one here, so never null.'],
    status: ['string', 'ACTIVE, ACCEPTED, EXPIRED or WITHDRAWN.', accepted],
    createdAt: ['string', 'ISO 8601.'],
    updatedAt: ['string', 'ISO 8601.'],
  }),
  row('3/rfq-open', 'Accepting and cancelling are possible while PENDING or QUOTED.', accepted, cancelled, once),
  row('3/rfq-accepted', 'ACCEPTED is final.', accepted),
  row('3/rfq-cancelled', 'CANCELLED is final.', cancelled),
  row('3/rfq-expired', 'EXPIRED is final.', once),
  row('3/trade-processing', 'A staged trade is PROCESSING.', accepted, settled),
  row('3/trade-confirmed', 'It is CONFIRMED once it is settled.', settled),
  row(
    '3/trade-failed',
    'It is FAILED, with the reason, when it can never settle.',
    staged('leaves the rest of a batch pending, and takes back what was cancelled on chain meanwhile'),
  ),
  row('4.6/path', `\`${promise}\``, paths(`${promise} is served, and wants a key`)),
  row('4.6/own-instance', 'Only requests that the own instance opened are found.', reading),
  row('4.6/all-quotes', 'All quotes are shown, in any state.', reserved, accepted),
  row('4.related/accept-quote', 'Accept a quote of a request.', accepted),
  row('5/rfq-elsewhere', 'A request of another instance reads as not found.', reading),
  ...codeRows('7/4.6', 'getRfq', 'read', {
    INVALID_PARAM: [400, 'id is missing or longer than 100 characters'],
    NOT_FOUND: [404, 'no such request on the instance'],
  }),
  ...codeRows('7/4.6', 'getRfq', 'door', { SERVICE_NOT_ENABLED: [403, 'trading is switched off'] }),
  row('8/rfq-id-length', 'id has at most 100 characters.', reading),
  row('8/quote-validity', 'validUntil is never later than the end of the request.', reserved),
]

import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const books = testsIn('apps/server/src/trading/reads/class-books.route.test.ts', 'books of the three classes')
const offchain = testsIn('apps/server/src/trading/offchain-books/offchain-books.route.test.ts', 'an off-chain book')
const promised = testsIn('apps/server/test/conformance/order-books.test.ts', 'what is promised of order books')

const trade = promised('a trade has every field, in order book units')
const unstaged = promised('a trade that is not staged for the chain has no settlement')
const paged = promised('the tape holds 50 unless told, never more than 100, from the newest on')
const pooled = books('that pool share depth, tape and figures between instances')
const failed = promised('the tape of commodities keeps failed settlements that the snapshot leaves out')
const days = books('by day have one entry for each UTC day of the range, today included')
const listed = promised('the books behind daily figures come oldest first, paused ones too, closed ones not')
const nothing = books('by day are empty without a book, and do not count what is closed or of another money')
const truncated = books('by day leave the oldest whole days out when too many rows lie behind them')
const wrong = books('by day want a known range and an address')
const created = offchain('is created with the settings that were sent and the defaults for the others')
const newest = offchain('is listed newest first, by status, whatever its token type, and never to others')
const record = promised('the list of off-chain books shows the whole record, whatever the token type')

const tape = { operation: 'listOrderBookTrades', leg: 'read' } as const
const daily = { operation: 'getDailyStats', leg: 'read' } as const
const offchainList = { operation: 'listOffchainBooks', leg: 'read' } as const

export const orderBookRows: readonly Row[] = [
  ...fieldRows({ ...tape, section: '2.trade', at: 'data.trades[]' }, trade, {
    tradeId: ['string', 'The trade.'],
    orderBookId: ['string', 'The book of the maker.'],
    takerOrderBookId: ['string|null', 'The book of the taker where the fill crossed books; else null.', pooled],
    origin: ['string', 'CLOB.'],
    makerOrderId: ['string', 'The resting order.'],
    takerOrderId: ['string', 'The order that came.'],
    makerAddress: ['string', 'Whose order rested.'],
    takerAddress: ['string', 'Whose order came.'],
    price: ['string', 'Execution price, order book units.'],
    quantity: ['string', 'Base quantity, order book units.'],
    makerFee: ['string', 'As base quantity, order book units.'],
    takerFee: ['string', 'As base quantity, order book units.'],
    side: ['string', 'Side of the order that came.'],
    settlementId: ['string|null', 'The settlement that groups it.'],
    settlementStatus: ['string|null', 'PROCESSING, CONFIRMED or FAILED; null where a book stages none.', unstaged],
    settlementError: ['string|null', 'Why the settlement failed.', failed],
    createdAt: ['string', 'ISO 8601.'],
  }),
  ...fieldRows({ ...offchainList, section: '2.book', at: 'data[]' }, record, {
    id: ['string', 'The book.'],
    instanceId: ['string', 'Its owner.'],
    name: ['string', 'Its name.'],
    symbol: ['string', 'Its symbol.'],
    status: ['string', 'ACTIVE, PAUSED or CLOSED.'],
    tokenType: ['string', 'STOCK_TOKEN or EXTERNAL_SECURITY, for example.'],
    settlementMode: ['string', 'ON_CHAIN or OFF_CHAIN.'],
    custodyContract: ['null', 'null off chain.'],
    minOrderSize: ['string', 'Order book units.'],
    tickSize: ['string', 'Order book units.'],
    makerFeeBps: ['integer', 'Basis points.'],
    takerFeeBps: ['integer', 'Basis points.'],
    priceRefEnabled: ['boolean', 'Whether a reference price bounds it.'],
    createdAt: ['string', 'ISO 8601.'],
  }),
  row(
    '2.book/custodyContract-on-chain',
    'A book on chain names its custody contract.',
    books('are found on their own class only, by those who may see them'),
    { kind: 'field', operation: 'getOrderBook', leg: 'read', field: 'data.custodyContract', types: 'string|null' },
  ),
  ...fieldRows({ ...daily, section: '2.day', at: 'data.stats[]' }, days, {
    date: ['string', 'UTC day.'],
    orderCount: ['integer', 'Orders of the day.'],
    tradeCount: ['integer', 'Trades of the day.'],
    volumeBase: ['number', 'A number.'],
    volumeQuote: ['number', 'A number.'],
    priceHigh: ['number|null', 'null without a trade.'],
    priceLow: ['number|null', 'null without a trade.'],
    priceOpen: ['number|null', 'null without a trade.'],
    priceClose: ['number|null', 'null without a trade.'],
  }),

  row('4.9/limit-default', 'limit is 50 by default.', paged),
  row('4.9/limit-cap', 'limit is capped at 100.', paged),
  row('4.9/offset-default', 'offset is 0 by default.', paged),
  row('4.9/newest-first', 'The newest trade comes first.', paged),
  row('4.9/pooled', 'A book that pools shows the tape of the whole pool.', pooled),
  row('4.9/failed-included', 'Failed settlements are on the tape, unlike in the aggregates of the snapshot.', failed),
  ...fieldRows({ ...tape, section: '4.9', at: 'data' }, paged, {
    trades: ['array', 'The trades.'],
    total: ['integer', 'How many there are.', pooled],
    limit: ['integer', 'What was used.'],
    offset: ['integer', 'What was used.'],
  }),
  row('8/trades-limit', 'limit of trades: 50 by default, at most 100.', paged),
  row('8/trades-offset', 'offset of trades: 0 by default.', paged),
  ...codeRows('7/4.9', 'listOrderBookTrades', 'read', {
    ORDER_BOOK_NOT_FOUND: [404, 'no such book of the class, own or imported'],
  }),
  ...codeRows('7/4.9', 'listOrderBookTrades', 'door', {
    SERVICE_NOT_ENABLED: [403, 'trading is switched off'],
  }),

  row('4.11/address-case', 'The address is taken in any case.', days),
  row('4.11/range-default', 'range is 1M by default.', days),
  row('4.11/ranges', 'range is 1W, 1M, 3M, 6M or 1Y.', days, wrong),
  row('4.11/contributing', 'Every book of the instance on the token that is not closed contributes.', listed, nothing),
  row('4.11/pooled-peers', 'Pooled peers contribute.', days),
  row('4.11/every-day', 'One entry per UTC day, empty days too.', days),
  ...fieldRows({ ...daily, section: '4.11', at: 'data' }, days, {
    hasOrderbook: ['boolean', 'false: lists empty, totals zero.', nothing],
    orderbooks: ['array', 'Oldest first.', listed],
    'orderbooks[].id': ['string', 'The book.', listed],
    'orderbooks[].name': ['string', 'Its name.', listed],
    'orderbooks[].symbol': ['string', 'Its symbol.', listed],
    'orderbooks[].settlementMode': ['string', 'ON_CHAIN or OFF_CHAIN.', listed],
    'orderbooks[].status': ['string', 'Not CLOSED.', listed],
    'orderbooks[].tokenType': ['string', 'EXTERNAL_SECURITY here.', listed],
    'orderbooks[].quoteTokenAddress': ['string', 'What is paid with.', listed],
    stats: ['array', 'Oldest first.'],
    range: ['string', 'What was used.'],
    truncated: ['boolean', 'true when the scan met its ceiling.', truncated],
    'totals.orderCount': ['integer', 'Of all days.'],
    'totals.tradeCount': ['integer', 'Of all days.'],
    'totals.volumeBase': ['number', 'Of all days.'],
    'totals.volumeQuote': ['number', 'Of all days.'],
  }),
  row('8/daily-ranges', '1W, 1M, 3M, 6M, 1Y; 1M by default.', days),
  row('8/scan-ceiling', '50,000 rows; truncated is true when they are exceeded.', truncated),
  ...codeRows('7/4.11', 'getDailyStats', 'read', {
    INVALID_PARAM: [400, 'range is none of the five'],
    VALIDATION_ERROR: [400, 'tokenAddress is no address'],
  }),
  ...codeRows('7/4.11', 'getDailyStats', 'door', {
    INSTANCE_REQUIRED: [400, 'no instance behind the key'],
    SERVICE_NOT_ENABLED: [403, 'trading is switched off'],
  }),

  row('4.15/status', 'status is ACTIVE, PAUSED or CLOSED, and may be left out.', newest, record),
  row(
    '4.15/off-chain-only',
    'Every book settles off chain and has no custody contract.',
    record,
    offchain('is not one that settles on chain'),
  ),
  row('4.15/any-token-type', 'Books of every token type are listed.', newest),
  row(
    '4.15/no-imports',
    'Imported books never appear.',
    promised('the list of off-chain books never shows an imported one'),
  ),
  row('4.15/array', '`data` is an array.', newest, { kind: 'field', ...offchainList, field: 'data', types: 'array' }),
  row('3/book-active', 'A book is ACTIVE when it is created.', created),
  row(
    '3/book-paused',
    'A book can be PAUSED and ACTIVE again.',
    books('leave the pool while they are paused, and come back'),
  ),
  row(
    '3/book-closed',
    'A book can be CLOSED, which cancels what rests.',
    offchain('changes only what is sent, and cancels what rests when it closes'),
  ),
]

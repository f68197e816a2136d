import { type Row, row, testsIn } from '../row.ts'

const answers = testsIn('apps/server/src/platform/http/answer.test.ts', 'an answer')
const failures = testsIn('apps/server/src/platform/http/answer.test.ts', 'naming a failure')
const leg = testsIn('apps/server/src/platform/http/answer.test.ts', 'the leg of a request')
const building = testsIn('apps/server/src/writes/build.test.ts', 'building a transaction')
const confirming = testsIn('apps/server/src/writes/confirm.test.ts', 'confirming a transaction by its effect')
const recording = testsIn('apps/server/src/writes/recording.test.ts', 'recording a confirmed effect')
const door = testsIn('apps/server/test/door.test.ts', 'the door of every operation')
const bodies = testsIn('apps/server/test/door-bodies.test.ts', 'what every operation accepts')
const policies = testsIn('apps/server/test/policies.test.ts', 'the policies of the database')
const amounts = testsIn('apps/server/src/platform/amounts.rules.test.ts', 'an amount as decimal string')
const addresses = testsIn('apps/server/src/platform/chain/address.test.ts', 'an address')
const paths = testsIn('apps/server/test/conformance/paths.test.ts', 'what is promised of paths')
const markets = testsIn('apps/server/test/lending/every-market-route.test.ts', 'every route of a market')
const sweep = testsIn('apps/server/src/lending/fees/sweep-fees.route.test.ts', 'sweeping fees')
const propose = testsIn('apps/server/src/lending/extensions/propose-extension.route.test.ts', 'proposing an extension')
const stocks = testsIn('apps/server/test/stocks/story.test.ts', 'the story of a stock')
const offchain = testsIn('apps/server/src/trading/orders/submit-offchain-order.route.test.ts', 'submitting an order')
const daily = testsIn('apps/server/src/trading/reads/class-books.route.test.ts', 'books of the three classes')
const envelope = testsIn('apps/server/test/conformance/envelope.test.ts', 'what is promised of every answer')

const V2 = '/lending-external-securities-v2/api'
const V1 = '/lending-external-securities/api'

const path = (section: string, promise: string): Row =>
  row(`${section}/path`, `\`${promise}\``, paths(`${promise} is served, and wants a key`))

const sweeping = sweep(
  'of infrastructure fees pays the platform wallet, whoever signs, and what the event says is recorded',
)
const proposing = propose('answers exactly what the issuer signs and where to report it')

export const conventionRows: readonly Row[] = [
  row(
    '1/one-instance',
    'A key resolves to exactly one instance, and every read and write is scoped to it.',
    policies('on tenant rows show an instance its own rows in every table, and no others'),
    policies('on tenant rows refuse loudly to write a row of another instance, or to give one away'),
    bodies('tells no instance about the rows of another'),
  ),
  row(
    '1/modes',
    'Collateral is frozen or taken into custody; prices are NAV or MARKET.',
    testsIn(
      'apps/server/src/lending/asset-data/preview-asset-data.route.test.ts',
      'previewing asset data',
    )('follows the choices, and takes FREEZE and NAV for granted'),
  ),
  row(
    '1/never-signs',
    'A write answers an unsigned transaction; key material is refused.',
    building('answers the unsigned call and what it would do, and writes nothing'),
    bodies('sweepInfrastructureFees rejects key material at any depth it looks at'),
  ),
  row(
    '1/relayer-exception',
    'Only the relayer signs, where the caller asks for it.',
    stocks('removes a broker by the relayer, and the chain refuses its next issue too'),
  ),
  row(
    '1/envelope-success',
    'A success has success, data and metadata.',
    answers('carries request, time and instance, and the block when there is one'),
    envelope('a success holds success, data and metadata'),
  ),
  row(
    '1/envelope-failure',
    'A failure has success false, data null and error with code and message.',
    envelope('a failure holds success, data, error and metadata'),
  ),
  row(
    '1/envelope-details',
    'An error may carry details or the fields named for its code.',
    failures('passes a more specific sentence and extra fields on'),
  ),
  row(
    '1/metadata',
    'metadata holds requestId, timestamp and instanceId.',
    envelope('a success holds success, data and metadata'),
  ),
  row(
    '1/two-legs',
    'Without txHash a write answers calldata; with it, it confirms the mined transaction.',
    leg('is confirm when the body carries a txHash and build otherwise'),
    building('can be sent as it is and then confirmed on the same route'),
  ),
  row(
    '1/txHash',
    'txHash is 0x and 64 hex digits.',
    sweep('of any kind is refused for fields it does not know, and for a hash that is none'),
    confirming('accepts a hash in uppercase digits, and answers it in lowercase'),
  ),
  row(
    '1/confirm-proves',
    'A confirmation verifies the receipt and records the result.',
    confirming('accepts a direct call, and does not say that a log proved it'),
    recording('gives the same answer for the same hash and keeps one row'),
  ),
  row('1/transaction-whole', 'An unsigned transaction holds to, data, value "0" and chainId.', sweeping),
  row('1/transaction-beside', 'Where it holds to and data only, chainId and value stand beside it.', proposing),
  row(
    '1/addresses',
    'Addresses are 0x and 40 hex digits.',
    addresses('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed is accepted and lowercased'),
    addresses('"0x" is refused'),
  ),
  row(
    '1/timestamps',
    'Times are ISO 8601 unless a field says unix seconds.',
    envelope('every time of a success is ISO 8601'),
  ),
  row(
    '1/order-book-units',
    'Amounts of order books are integers in order book units, as strings.',
    offchain('rests it, reserves what it may cost, and trades at the price that rested'),
  ),
  row(
    '1/daily-numbers',
    'Daily statistics are numbers.',
    daily('by day have one entry for each UTC day of the range, today included'),
  ),
  row(
    '1/token-amounts',
    'Other amounts are decimal strings in token units.',
    amounts('loses nothing and stays canonical for any amount'),
    sweeping,
  ),
  row('1/raw-amounts', 'Raw amounts are integer strings in the smallest unit.', sweeping),

  path('4.1', 'GET /external-tokens/api/list'),
  path('4.2', `POST ${V2}/markets/{marketId}/extensions`),
  path('4.2/confirm', `POST ${V2}/markets/{marketId}/extensions/confirm-tx`),
  path('4.3', 'POST /stocks/api/manage/{tokenAddress}/sub-issuer/remove'),
  path('4.4', `POST ${V2}/markets/{market}/asset-data/attest`),
  path('4.4/confirm', `POST ${V2}/markets/{market}/asset-data/attest/confirm`),
  path('4.5', `POST ${V2}/markets/{marketId}/infrastructure-fees/sweep`),
  path('4.7', `POST ${V1}/liquidations/withdraw-collateral/{liquidationId}`),
  path('4.8', 'GET /api/mica/v1/search'),
  path('4.9', 'GET /orderbooks/commodities/api/order-books/{orderBookId}/trades'),
  path('4.10', `GET ${V2}/markets/{marketId}/auction-module`),
  path('4.11', 'GET /orderbooks/external-securities/api/order-books/by-token/{tokenAddress}/daily-stats'),
  path('4.12', `GET ${V1}/markets/{marketId}/setup-steps`),
  path('4.13', `POST ${V1}/positions/{marketId}/claim-escrowed-collateral`),
  path('4.14', `POST ${V1}/positions/{marketId}/borrow-more`),
  path('4.15', 'GET /orderbooks/stocks/api/offchain/order-books'),
  path('4.16', `GET ${V1}/liquidations/{marketId}/config`),
  path('4.17', 'POST /customers/api/identity/revoke-claim'),
  path('4.18', 'POST /customers/api/identity/proofs/revoke'),
  path('4.19', 'GET /lending-stocks/api/positions/{marketId}/price-history'),
  path('4.20', `POST ${V2}/markets/{marketId}/upgrade`),

  row(
    '5/header',
    'Every request carries the key in X-API-Key.',
    door('listImports asks for a key'),
    door('upgradeMarket asks for a key'),
  ),
  row(
    '5/bound',
    'A key is bound to one instance, which a request cannot choose.',
    door('listImports refuses every kind of wrong key the same way'),
    policies('on tenant rows do not let anybody enter with a key that is not true any more'),
  ),
  row(
    '5/INSTANCE_REQUIRED',
    'A key without an instance is INSTANCE_REQUIRED (400).',
    door('getDailyStats wants the key of an instance, not of the register'),
  ),
  row(
    '5/SERVICE_NOT_ENABLED',
    'Trading has to be switched on, else SERVICE_NOT_ENABLED (403).',
    door('names the service that is switched off, and needs no other one'),
  ),
  row(
    '5/not-found-elsewhere',
    'A market of another instance reads as not found.',
    markets('proposeExtension finds no market of another instance, deployed or not'),
  ),
  row(
    '5/roles-named',
    'A build names the role that has to sign, and is not refused for a wrong signer.',
    propose('says who must sign when no wallet of the instance holds the role'),
  ),
  row(
    '8/marketId-length',
    'marketId has at most 100 characters.',
    markets('proposeExtension says when the id is too long to be one'),
  ),
  row(
    '9/v2',
    'Markets, extensions, asset data, fees, auctions and upgrades under the second prefix.',
    paths(`POST ${V2}/markets/{marketId}/upgrade is served, and wants a key`),
  ),
  row(
    '9/v1',
    'Positions, liquidations and set-up under the first prefix.',
    paths(`GET ${V1}/liquidations/{marketId}/config is served, and wants a key`),
  ),
  row(
    '9/stocks',
    'Lending against own stocks under a prefix of its own.',
    paths('GET /lending-stocks/api/positions/{marketId}/price-history is served, and wants a key'),
  ),
  row(
    '9/others',
    'Tokens, stocks, order books by class, identities and the register have prefixes of their own.',
    paths('GET /external-tokens/api/list is served, and wants a key'),
    paths('POST /stocks/api/manage/{tokenAddress}/sub-issuer/remove is served, and wants a key'),
    paths('GET /orderbooks/commodities/api/order-books/{orderBookId}/trades is served, and wants a key'),
    paths('POST /customers/api/identity/revoke-claim is served, and wants a key'),
    paths('GET /api/mica/v1/search is served, and wants a key'),
  ),
  row(
    '9/one-surface',
    'The lending prefixes serve the same operations.',
    markets('upgradeMarket is served under every lending prefix'),
  ),
]

import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const sweep = testsIn('apps/server/src/lending/fees/sweep-fees.route.test.ts', 'sweeping fees')
const story = testsIn('apps/server/test/lending/market-story.test.ts', 'the story of a market in FREEZE')
const split = testsIn('apps/server/src/lending/fees/get-fee-split.route.test.ts', 'what a market says about its fees')
const random = testsIn('apps/server/src/lending/fees/get-cashflows.route.test.ts', 'the cash flows of a market')

const paid = sweep(
  'of infrastructure fees pays the platform wallet, whoever signs, and what the event says is recorded',
)
const unread = sweep('of infrastructure fees is not stopped when the platform wallet cannot be read')
const shares = split('is the split of interest, whose five parts are the whole, and the flat fees')
const adds = random(
  'that lives at random (seed 1) add up: legs to interest collected, events to the books, loans to the market',
)
const operation = 'sweepInfrastructureFees'

export const infrastructureFeeRows: readonly Row[] = [
  row('4.5/who-signs', 'Any wallet signs; the wallet fixed in the market contract is paid, never the signer.', paid),
  row(
    '4.5/more-than-quoted',
    'The sweep pays what is booked when it is mined, which can be more than quoted.',
    sweep('of infrastructure fees pays what is booked when it is mined, not what was quoted'),
  ),
  ...fieldRows({ section: '4.5', operation, leg: 'build', at: 'data' }, paid, {
    action: ['string', 'SIGN_TRANSACTION.'],
    'transaction.to': ['string', 'The market.'],
    'transaction.data': ['string', 'The encoded call.'],
    'transaction.value': ['string', '0.'],
    'transaction.chainId': ['integer', 'Inside of the transaction.'],
    functionName: ['string', 'sweepInfrastructureFees.'],
    description: ['string', 'What the transaction does, in words.'],
    permissionless: ['boolean', 'true.'],
    requiredRole: ['null', 'null.'],
    requiredSigner: ['null', 'null.'],
    note: ['string', 'What to mind.'],
    destination: ['string|null', 'Who is paid; null when that could not be read, which stops nothing.', unread],
    amount: ['string', 'What is booked now, in token units.'],
    amountRaw: ['string', 'The same in the smallest unit.'],
    'asset.address': ['string', 'The borrow asset.'],
    'asset.symbol': ['string', 'Its symbol.'],
    'asset.decimals': ['integer', 'Its decimals.'],
    'confirmWith.endpoint': ['string', 'Where the hash is reported.'],
    'confirmWith.field': ['string', 'txHash.'],
  }),
  ...fieldRows({ section: '4.5/confirm', operation, leg: 'confirm', at: 'data' }, paid, {
    kind: ['string', 'infrastructure.'],
    txHash: ['string', 'As sent.'],
    signedBy: ['string', 'Who signed.'],
    destination: ['string', 'Who was paid.'],
    amount: ['string', 'What was paid, from the event.'],
    amountRaw: ['string', 'The same in the smallest unit.'],
    asset: ['object', 'The borrow asset.'],
    at: ['string', 'Time of the block; always known here, so never null.'],
  }),
  row(
    '4.5/recorded',
    'A confirmed sweep is a transaction of the market of type INFRASTRUCTURE_FEES_SWEPT.',
    story('earns fees that are swept to where they are fixed to go, and the cash flows balance'),
  ),
  row('6/InfrastructureFeePaid', 'The amount of a confirmation comes from the event InfrastructureFeePaid.', paid),
  row(
    '6/INFRASTRUCTURE_FEES_SWEPT',
    'A confirmed sweep is recorded as INFRASTRUCTURE_FEES_SWEPT.',
    story('earns fees that are swept to where they are fixed to go, and the cash flows balance'),
  ),
  row('8/infrastructure-fee', '15 % of repaid interest and of interest that a liquidation recovers.', shares, adds),
  row('8/transaction-fee', '87 % of every fixed transaction fee.', shares, adds),
  row('8/fixed-shares', 'Of the interest left after that, 8 % to the operator and 5 % to the distributor.', shares),
  ...codeRows('7/4.5', operation, 'build', {
    VALIDATION_ERROR: [400, 'a field that the route does not know'],
    MISSING_MARKET_ID: [400, 'marketId longer than 100 characters'],
    NO_MARKET_ADDRESS: [400, 'the market is not on chain'],
    MARKET_NOT_FOUND: [404, 'no such market'],
    NO_INFRASTRUCTURE_FEES: [409, 'nothing is booked'],
    MARKET_FEES_UNAVAILABLE: [503, 'the booked balances could not be read'],
  }),
  ...codeRows('7/4.5/confirm', operation, 'confirm', {
    VALIDATION_ERROR: [400, 'txHash is not 0x and 64 hex digits'],
  }),
]

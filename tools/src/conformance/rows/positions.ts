import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending'
const escrow = testsIn(`${folder}/escrow/escrow.route.test.ts`, 'what a token refused to pay out')
const more = testsIn(`${folder}/loans/borrow-more.route.test.ts`, 'borrowing more')
const oracle = testsIn(`${folder}/oracle/oracle-history.route.test.ts`, 'reading an oracle')
const everyMarket = testsIn('apps/server/test/lending/every-market-route.test.ts', 'every route of a market')

const kept = escrow('collateral is kept for a holder whom the token refuses, and paid out once it no longer does')
const anybody = escrow('is claimed without naming anybody: then nothing is read and nothing simulated')
const custodyOnly = escrow('is only ever held by an adapter in custody')
const whole = more('builds one transaction for the borrower, and confirms what it drew')
const forms = more('refuses what is no such request, no loan, or no market that lends')
const noPreflight = more('refuses nothing for what it would do: the simulation tells')
const signed = more('takes a signed price in the place of a stale one')
const chart = oracle('gives a chart its prices in numbers, oldest first, under the prefix for stocks only for our own')

export const positionRows: readonly Row[] = [
  row('4.13/custody-only', 'Only markets in CUSTODY.', custodyOnly),
  row('4.13/holderAddress', 'holderAddress may be left out; given, the escrow is read first.', kept, anybody),
  row('4.13/empty', 'An empty escrow of a named holder is refused NO_ESCROWED_COLLATERAL.', kept),
  row('4.13/not-in-the-transaction', 'holderAddress does not enter the transaction.', anybody),
  row('4.13/nothing-to-confirm', 'Always calldata; a txHash is refused.', custodyOnly),
  row('4.13/holder-signs', 'The signer is the holder, who is paid.', kept),
  row('4.13/blocked', 'Claiming fails while the token blocks the holder.', kept),
  ...fieldRows({ section: '4.13', operation: 'claimEscrowedCollateral', leg: 'build', at: 'data' }, kept, {
    action: ['string', 'SIGN_TRANSACTION.'],
    'transaction.to': ['string', 'The custody adapter.'],
    'transaction.data': ['string', 'The encoded call.'],
    'transaction.value': ['string', '0.'],
    'transaction.chainId': ['integer', 'Inside of the transaction.'],
    functionName: ['string', 'claimEscrowedCollateral.'],
    adapterAddress: ['string', 'The custody adapter.'],
    escrowedCollateral: ['string|null', 'In token units; null without holderAddress.', anybody],
  }),
  ...codeRows('7/4.13', 'claimEscrowedCollateral', 'build', {
    NO_MARKET_ADDRESS: [400, 'the market is not on chain'],
    NOT_CUSTODY_MODE: [400, 'the market freezes'],
    NO_ADAPTER: [400, 'no custody adapter is on record'],
    NO_ESCROWED_COLLATERAL: [400, 'nothing is kept for the holder'],
    VALIDATION_ERROR: [400, 'holderAddress is no address'],
    MARKET_NOT_FOUND: [404, 'no such market'],
  }),

  row('4.14/loanId', 'loanId is required: a positive integer as a JSON number.', forms, whole),
  row('4.14/amount', 'amount is required: a decimal in units of the borrow asset.', forms),
  row('4.14/signedPrice', 'signedPrice (price, timestamp, validUntil, signature) may be given.', signed),
  row('4.14/stored-price', 'Without it the stored price of the oracle counts.', signed, whole),
  row('4.14/no-preflight', 'Nothing is checked beforehand: what exceeds the capacity reverts on chain.', noPreflight),
  ...fieldRows({ section: '4.14', operation: 'borrowMore', leg: 'build', at: 'data' }, whole, {
    action: ['string', 'SIGN_TRANSACTION.'],
    'transaction.to': ['string', 'The market.'],
    'transaction.data': ['string', 'The encoded call.'],
    functionName: ['string', 'borrowMore.'],
  }),
  row('4.14/beside', 'transaction holds to and data only; chainId and value stand beside it.', whole),
  ...fieldRows({ section: '4.14/confirm', operation: 'borrowMore', leg: 'confirm', at: 'data' }, whole, {
    txHash: ['string', 'As sent.'],
    loanId: ['integer', 'The loan.'],
    additionalBorrow: ['string', 'What was drawn.'],
  }),
  row('8/borrow-more-loanId', 'loanId is a JSON number; digits are refused.', forms),

  ...fieldRows({ section: '2.price', operation: 'getPriceHistory', leg: 'read', at: 'data' }, chart, {
    currentPrice: ['number', 'A number.'],
    history: ['array', 'Oldest first.'],
    'history[].timestamp': ['integer', 'Milliseconds.'],
    'history[].price': ['number', 'A number.'],
    symbol: ['string', 'Of the collateral.'],
    marketId: ['string', 'As in the path.'],
  }),
  row(
    '4.19/served',
    'Served under the prefix for stocks.',
    chart,
    everyMarket('getPriceHistory is served under every lending prefix'),
  ),
]

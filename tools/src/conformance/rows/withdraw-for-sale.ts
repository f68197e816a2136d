import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending/router'
const withdraw = testsIn(`${folder}/withdraw-collateral-for-sale.route.test.ts`, 'withdrawing collateral for sale')
const writes = testsIn(`${folder}/faults-of-every-write.route.test.ts`, 'every write about a liquidation')

const whole = withdraw('builds for the router operator and the fixed sale recipient, and says what would happen')
const tranches = withdraw('goes out in three tranches, and the liquidation stays pending')
const forms = withdraw('refuses amounts and recipients that are none')
const fixed = withdraw('goes to nobody else than the sale recipient')
const role = withdraw('says who must grant the role when no wallet holds it, and builds once it is granted')
const several = writes('withdraw-collateral finds it on any router of the instance, and asks when there are several')
const settled = writes('withdraw-collateral refuses what is settled')
const operation = 'withdrawCollateralForSale'

const eitherLeg = {
  MISSING_ID: [400, 'the path names no liquidation'],
  VALIDATION_ERROR: [400, 'amount or recipientAddress is none'],
  AMBIGUOUS_LIQUIDATION_ID: [400, 'the number exists on several markets', 'candidates'],
  RECIPIENT_FIXED: [400, 'another recipient than the fixed one', 'saleRecipient'],
  ROUTER_NOT_CONFIGURED: [400, 'the market has no router'],
  ROUTER_UNREADABLE: [503, 'the router could not be read'],
  LIQUIDATION_NOT_FOUND: [404, 'unknown here and on chain'],
  MARKET_NOT_FOUND: [404, 'marketId names no market'],
} as const

export const withdrawForSaleRows: readonly Row[] = [
  row('4.7/moves', 'Seized collateral goes from the router to the fixed sale recipient of the market.', tranches),
  row('4.7/amount', 'amount is required: a positive decimal in units of the collateral token.', forms),
  row('4.7/amount-bound', 'amount is at most collateralRemaining.', tranches),
  row('4.7/recipientAddress', 'recipientAddress is left out or equals the sale recipient.', whole, fixed),
  row('4.7/marketId', 'marketId is needed when the number exists on several markets.', several),
  row('4.7/txHash', 'txHash left out: calldata; sent: the confirmation.', tranches),
  row('4.7/operator-role', 'Without OPERATOR_ROLE the grant is answered, and no withdrawal.', role),
  row('4.7/grant-calldata', 'The grant is `calldata` of to, data, description.', role),
  row(
    '4.7/adopted-from-chain',
    'A liquidation on chain without a record is found on the routers of the instance.',
    several,
  ),
  ...fieldRows({ section: '4.7', operation, leg: 'build', at: 'data' }, whole, {
    liquidationId: ['string', 'As in the path.'],
    success: ['boolean', 'true, inside of data.'],
    action: ['string', 'SIGN_TRANSACTION.'],
    transaction: ['object', 'To the router.'],
    'transaction.to': ['string', 'The router.'],
    functionName: ['string', 'withdrawCollateralForSale.'],
    recipient: ['string', 'Who gets the collateral.'],
    saleRecipient: ['string', 'Who is fixed to get it; every market here names one.'],
  }),
  ...fieldRows({ section: '4.7/confirm', operation, leg: 'confirm', at: 'data' }, tranches, {
    liquidationId: ['string', 'As in the path.'],
    txHash: ['string', 'As sent.'],
  }),
  row(
    '3/liquidation-tranches',
    'After a withdrawal it is still PENDING, collateralRemaining falls, and it can be repeated.',
    tranches,
  ),
  row('3/liquidation-settled', 'A settled liquidation is refused ALREADY_SETTLED.', settled),
  row(
    '3/no-sale-recipient',
    'Without a lender of record there is no sale recipient: SALE_RECIPIENT_NOT_SET.',
    withdraw('has nobody to go to before a lender of record designates one'),
  ),
  ...codeRows('7/4.7', operation, 'build', {
    ...eitherLeg,
    ALREADY_SETTLED: [400, 'the liquidation is settled'],
    SALE_RECIPIENT_NOT_SET: [400, 'no lender of record'],
    SALE_RECIPIENT_TRANSFER_RESTRICTED: [400, 'the token blocks the transfer', 'saleRecipient', 'saleDeliveryCode'],
    WALLET_NOT_CONFIGURED: [400, 'the instance has no verified wallet'],
    ROUTER_OPERATOR_ROLE_MISSING: [
      400,
      'no wallet holds OPERATOR_ROLE',
      'calldata.to',
      'calldata.data',
      'calldata.description',
    ],
  }),
  ...codeRows('7/4.7/confirm', operation, 'confirm', {
    ...eitherLeg,
    TX_NOT_VERIFIED: [400, 'the transaction withdrew from another liquidation'],
    WITHDRAW_TX_REVERTED: [400, 'the withdrawal was mined but failed', 'txHash'],
  }),
]

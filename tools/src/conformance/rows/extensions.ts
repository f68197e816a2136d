import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending/extensions'
const propose = testsIn(`${folder}/propose-extension.route.test.ts`, 'proposing an extension')
const confirm = testsIn(`${folder}/confirm-extension-transaction.route.test.ts`, 'confirming an extension transaction')
const act = testsIn(`${folder}/act-on-extension.route.test.ts`, 'confirming, applying and cancelling an extension')
const listed = testsIn(`${folder}/list-extensions.route.test.ts`, 'listing extension proposals')

const whole = propose('answers exactly what the issuer signs and where to report it')
const nobody = propose('says who must sign when no wallet of the instance holds the role')
const unread = propose('builds all the same when nobody can tell who holds the role')
const noMove = propose('refuses a loan that is missing or too many, and a date that moves nothing later')
const digits = propose('takes numbers as digits too, and answers on the prefix that was used')
const alone = act('moves the maturity of a loan and nothing else of it, without its borrower')
const reported = confirm('reads the proposal id from the receipt and records the event once')
const preview = listed('previews a batch loan by loan: which would move, which are skipped and why')
const built = { section: '4.2', operation: 'proposeExtension', leg: 'build', at: 'data' } as const

export const extensionRows: readonly Row[] = [
  row(
    '4.2/body-kind',
    'kind is LOAN, BATCH or FLOOR, and required.',
    propose('refuses {} as a form'),
    propose('refuses {"kind":"EVERYTHING","newDueAt":1} as a form'),
    digits,
  ),
  row(
    '4.2/body-loanId',
    'loanId is a positive integer, as a number or as digits.',
    digits,
    propose('refuses {"kind":"LOAN","loanId":0,"newDueAt":4000000000} as a form'),
  ),
  row('4.2/loanId-of-a-loan', 'loanId is required for LOAN and refused for BATCH and FLOOR.', noMove),
  row(
    '4.2/body-newDueAt',
    'newDueAt is required: unix seconds, as a number or as digits.',
    digits,
    propose('refuses {"kind":"LOAN"} as a form'),
    propose('refuses {"kind":"BATCH","newDueAt":"2030-01-01"} as a form'),
  ),
  row('4.2/newDueAt-future', 'newDueAt lies in the future.', noMove),
  row(
    '4.2/loan-open-with-maturity',
    'LOAN: the loan is open and has a maturity.',
    propose('knows loans that do not exist and loans that are closed'),
    propose('refuses without terms, and for a loan that was opened without'),
  ),
  row(
    '4.2/loan-effective-maturity',
    'LOAN: newDueAt is later than the later of the own maturity and the floor of the market.',
    noMove,
    propose('measures against the effective maturity: the floor counts when it is later'),
  ),
  row('4.2/batch-up-to-the-proposal', 'BATCH covers the loans opened up to the proposal, and no later one.', preview),
  row('4.2/batch-skips', 'BATCH skips loans that are closed, have no maturity or mature later anyway.', preview),
  row(
    '4.2/floor-rises',
    'FLOOR: newDueAt exceeds the floor that stands.',
    propose('measures against the effective maturity: the floor counts when it is later'),
  ),
  row(
    '4.2/floor-lifts',
    'FLOOR: every loan with a maturity then matures no earlier.',
    testsIn(
      'apps/server/test/lending/market-story.test.ts',
      'the story of a market in FREEZE',
    )('extends by FLOOR: proposed by the issuer, confirmed by the admin, applied'),
  ),
  row('4.2/floor-untermed', 'FLOOR: a loan without a term stays without one.', preview),
  row(
    '4.2/switch-and-terms',
    'The switch of the market is on and the terms of use of its lender provide for extensions.',
    propose('refuses while the switch is off, and while the terms of use do not provide for it'),
  ),
  row('4.2/no-borrower-no-rate', 'No borrower signs, and no rate changes.', alone),
  row(
    '4.2/no-txHash',
    'The request takes no txHash.',
    propose(`refuses {"kind":"BATCH","newDueAt":4000000000,"txHash":"0x${'1'.repeat(64)}"} as a form`),
  ),
  ...fieldRows(built, whole, {
    action: ['string', 'SIGN_TRANSACTION.'],
    transaction: ['object', '`to` and `data` only.'],
    to: ['string', 'The same `to` beside it.'],
    data: ['string', 'The same `data` beside it.'],
    value: ['string', '0, beside the transaction.'],
    chainId: ['integer', 'Beside the transaction.'],
    functionName: ['string', 'proposeExtension.'],
    requiredRole: ['string', 'ISSUER_ROLE.'],
    kind: ['string', 'As sent.'],
    description: ['string', 'What the transaction does, in words.'],
    requiredSigner: ['null', 'Always null.', nobody],
    heldByThisInstance: ['boolean|null', 'Whether a wallet of the instance holds the role; null: not known.', unread],
    signerAddress: ['string|null', 'The wallet of the instance that holds it, or null.', nobody],
    note: ['string|null', 'null when the instance can sign; else who must, and that others revert.', nobody],
    'confirmWith.endpoint': ['string', 'Where the hash is reported.'],
    'confirmWith.field': ['string', 'txHash.'],
  }),
  row('4.2/never-refused-for-a-signer', 'A build is never refused because of who holds the role.', nobody, unread),
  row(
    '4.2/confirm-activity',
    'The confirmation answers `activity`; the element of ExtensionProposed carries the proposalId of the receipt.',
    reported,
    { kind: 'field', operation: 'confirmExtensionTransaction', leg: 'confirm', field: 'data.activity', types: 'array' },
    {
      kind: 'field',
      operation: 'confirmExtensionTransaction',
      leg: 'confirm',
      field: 'data.activity[].proposalId',
      types: 'string',
    },
  ),
  row(
    '3/extension-proposed',
    'A mined proposal exists under the id of its receipt, and moves no maturity.',
    reported,
    alone,
  ),
  row(
    '3/extension-of-a-loan',
    'The admin confirms within seven days: LOAN moves that loan.',
    act('lets the admin confirm one loan, which moves at once and is then used up'),
  ),
  row(
    '3/extension-of-a-batch',
    'BATCH: the loans opened up to the proposal move, page by page.',
    act('takes a batch through confirmation and pages, which anybody may send'),
    confirm('tells a page that moved a loan from one that moved none, and ends with the last'),
  ),
  row(
    '3/extension-of-the-floor',
    'FLOOR: the floor of the market rises.',
    act('refuses what moves nothing later any more'),
  ),
  row('6/ExtensionProposed', 'The proposal id of a confirmation comes from the event ExtensionProposed.', reported),
  row(
    '8/extension-page',
    'A page of a confirmed BATCH holds up to 200 loans.',
    act('refuses another form, a proposal that does not exist, and a market without a lender'),
  ),
  row(
    '8/extension-window',
    'The admin confirms within seven days of the proposal.',
    act('lets issuer or admin cancel, also when it is too late to confirm'),
  ),
  ...codeRows('7/4.2', 'proposeExtension', 'build', {
    MISSING_MARKET_ID: [400, 'marketId longer than 100 characters'],
    VALIDATION_ERROR: [400, 'kind or newDueAt missing or of another form'],
    INVALID_EXTENSION: [400, 'loanId missing or too many, or a date that moves nothing later'],
    LOAN_NOT_ACTIVE: [400, 'the loan is closed'],
    LOAN_NOT_FOUND: [404, 'no such loan on this market'],
    MARKET_NOT_FOUND: [404, 'no such market on the instance'],
    TERMS_NOT_ENABLED: [409, 'loans of the market have no term'],
    EXTENSION_NOT_ALLOWED: [409, 'the switch is off, or the loan has no maturity'],
    MARKET_PENDING_CURATOR: [409, 'no lender of record'],
    LOAN_STATE_UNAVAILABLE: [503, 'the loan could not be read'],
    MARKET_STATE_UNAVAILABLE: [503, 'the terms could not be read'],
  }),
]

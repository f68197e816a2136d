import { type Row, row, testsIn } from '../row.ts'

const lending = 'apps/server/src/lending'
const assetData = testsIn(`${lending}/asset-data/get-asset-data.route.test.ts`, 'reading asset data')
const act = testsIn(
  `${lending}/extensions/act-on-extension.route.test.ts`,
  'confirming, applying and cancelling an extension',
)

/** Endpoints that are named without their shapes: each exists and does what its name says. */
export const relatedRows: readonly Row[] = [
  row(
    '4.related/extension-action',
    'Confirm, apply or cancel a proposal.',
    act('takes a batch through confirmation and pages, which anybody may send'),
  ),
  row(
    '4.related/set-allow-extension',
    'Turn the extension switch.',
    testsIn(
      `${lending}/extensions/set-allow-extension.route.test.ts`,
      'setting the extension switch',
    )('turns it off and on again'),
  ),
  row(
    '4.related/confirm-extension',
    'Confirm any extension transaction.',
    testsIn(
      `${lending}/extensions/confirm-extension-transaction.route.test.ts`,
      'confirming an extension transaction',
    )('records everything that one multicall did'),
  ),
  row(
    '4.related/asset-data',
    'What is attested, and whether the lender has seen it.',
    assetData(
      'what stands shows the attestation of the deployment, who may follow it up, and that the profile still says the same',
    ),
  ),
  row(
    '4.related/asset-data-preview',
    'What a deployment would attest.',
    testsIn(
      `${lending}/asset-data/preview-asset-data.route.test.ts`,
      'previewing asset data',
    )('shows exactly what a deployment would attest, in one round trip, and stores nothing'),
  ),
  row(
    '4.related/asset-data-bundle',
    'The bytes behind a hash.',
    assetData('the bytes are served with the hash they have, for what stands and for what stood'),
  ),
  row(
    '4.related/confirm-attestation',
    'Confirm an attestation.',
    testsIn(
      `${lending}/asset-data/attest-asset-data.route.test.ts`,
      'attesting asset data',
    )('confirming proves the attestation, records it once, and shows what stands now'),
  ),
  row(
    '4.related/cashflows',
    'Where the money of a market went.',
    testsIn(
      `${lending}/fees/get-fee-split.route.test.ts`,
      'what a market says about its fees',
    )('is in the cash flows as soon as the record knows, and they say up to which block that is'),
  ),
  row(
    '4.related/transactions',
    'The transactions of a market.',
    testsIn(
      `${lending}/figures/list-market-transactions.route.test.ts`,
      'the transactions of a market',
    )('tell switches, sweeps and the fund'),
  ),
  row(
    '4.related/upgrade-status',
    'What each proxy runs and could run.',
    testsIn(
      `${lending}/upgrades/upgrade-market.route.test.ts`,
      'upgrading a market',
    )('from the first generation, with loans, providers and a vault tells its status beforehand in one answer'),
  ),
  row(
    '4.related/handover',
    'What a lender was handed over.',
    testsIn(
      `${lending}/curator/get-operator.route.test.ts`,
      'the operator of a market and its handover',
    )('has been handed everything by the adoption, and what an owner gives on waits for its nominee'),
  ),
  row(
    '4.related/settle-expired-auction',
    'Send what an expired auction did not sell to the router.',
    testsIn(
      `${lending}/auctions/auction-sales.route.test.ts`,
      'selling in auctions',
    )('sends what an expired auction did not sell to the router, for anybody'),
  ),
  row(
    '4.related/wire-auction-module',
    'Create and wire a venue.',
    testsIn(
      `${lending}/auctions/wire-auction-module.route.test.ts`,
      'wiring an auction module',
    )('creates a venue, then asks for exactly what is missing, and follows its auctions once it is wired'),
  ),
  row(
    '4.related/sign-price',
    'Typed data of a price to sign.',
    testsIn(
      `${lending}/oracle/sign-price.route.test.ts`,
      'signing a price',
    )('answers typed data whose signature the oracle itself accepts'),
  ),
  row(
    '4.related/max-borrow',
    'What an amount of collateral carries.',
    testsIn(
      `${lending}/figures/get-metrics.route.test.ts`,
      'the figures of a market',
    )('for one borrower say what an amount of collateral carries at the stored price'),
  ),
  row(
    '4.related/loan',
    'A loan as the chain has it.',
    testsIn(
      `${lending}/positions/positions.route.test.ts`,
      'positions',
    )('show a loan as the chain has it, with what the token says about its holder'),
  ),
  row(
    '4.related/pending-liquidations',
    'Liquidations that are not settled.',
    testsIn(
      `${lending}/liquidations/liquidations.route.test.ts`,
      'the seizures of a market',
    )('are pending on the router, then settled, with what the chain says of them'),
  ),
  row(
    '4.related/liquidate',
    'Seize the collateral of a loan.',
    testsIn(
      `${lending}/liquidations/liquidate-loan.route.test.ts`,
      'liquidating a loan',
    )('forecasts a slice of an unhealthy loan, hands it to the router, and tells what was seized from the event'),
  ),
  row(
    '4.related/liquidator-role',
    'Give and take the role of a liquidator.',
    testsIn(
      `${lending}/curator/set-access-role.route.test.ts`,
      'roles on the contracts of a market',
    )('has a route of its own for liquidators'),
  ),
  row(
    '4.related/proofs',
    'Which proofs back the claims of a wallet.',
    testsIn(
      'apps/server/src/identity/proofs/attest-proofs.route.test.ts',
      'claims by hand and by proof',
    )('a claim by proof is filed step by step, and the ledger keeps which proof backs it'),
  ),
  row(
    '4.related/snapshot',
    'Depth, last price and the last 24 hours of a book.',
    testsIn(
      'apps/server/src/trading/reads/class-books.route.test.ts',
      'books of the three classes',
    )('that pool share depth, tape and figures between instances'),
  ),
]

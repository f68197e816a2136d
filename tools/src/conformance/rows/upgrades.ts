import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending/upgrades'
const upgrade = testsIn(`${folder}/upgrade-market.route.test.ts`, 'upgrading a market')
const splits = testsIn('apps/server/src/lending/fees/get-fee-split.route.test.ts', 'what a market says about its fees')

const forms = upgrade('is refused for a bad field with the first rule that failed, and no list')
const generation = (name: string) => upgrade(`from the first generation, with loans, providers and a vault ${name}`)
const run = generation(
  'builds upgrade, snapshot and follow-ups in order, runs them with everybody in it, and is confirmed',
)
const unacknowledged = generation(
  'is refused until the impact of the fixed fee shares is acknowledged, with the figures',
)
const onModel = upgrade('of each proxy rateModel is built, signed and confirmed, with its own fields')
const onRouter = upgrade('of each proxy router is built, signed and confirmed, with its own fields')
const onFund = upgrade('of each proxy insuranceFund is built, signed and confirmed, with its own fields')
const wrongHash = upgrade(
  'of each proxy is not confirmed by a hash that proves nothing, nor by the upgrade of another proxy',
)
const pendingModel = upgrade(
  'of satellites that the market still owns is refused for rateModel and names who has to accept',
)
const pendingFund = upgrade(
  'of satellites that the market still owns is refused for insuranceFund and names who has to accept',
)
const nobodyNominated = upgrade('of satellites that the market still owns names nobody where nobody is nominated')
const seeking = upgrade('is refused while nobody lends')
const throughVaults = testsIn(
  'apps/server/src/lending/liquidity/liquidity.route.test.ts',
  'the pool of a market',
)('takes and gives back the money of a vault, whose owner signs')
const operation = 'upgradeMarket'

export const upgradeRows: readonly Row[] = [
  row('4.20/served', 'A proxy moves onto what the factory serves now; the caller names nothing.', run, onModel),
  row('4.20/no-downgrade', 'It never goes back.', upgrade('of market never goes back')),
  row('4.20/body-target', 'target is market, rateModel, router or insuranceFund; market by default.', forms, run),
  row('4.20/body-acknowledge', 'acknowledgeFeeModelImpact is a boolean, of market only.', forms),
  row(
    '4.20/acknowledge-needed',
    'It is needed when the market moves onto fixed shares with providers or loans in it.',
    unacknowledged,
  ),
  row('4.20/body-txHash', 'txHash with the same target confirms.', run, onRouter),
  row(
    '4.20/fixed-shares',
    'Afterwards 15 % infrastructure first, then 8 % operator and 5 % distributor of the rest.',
    run,
    splits('is the split of interest, whose five parts are the whole, and the flat fees'),
  ),
  row(
    '4.20/accrued-interest',
    'Interest that accrued before the upgrade is split at the new rates when it is repaid.',
    generation('splits what had accrued before at the new rates'),
  ),
  row(
    '4.20/third-parties',
    'Third parties keep their positions, and add liquidity only through a vault.',
    run,
    throughVaults,
  ),
  row('4.20/open-pool', 'An open pool without a provider register takes no deposits of third parties.', run),
  row('4.20/signer-market', 'market: its admin signs.', run),
  row('4.20/signer-router', 'router: its admin signs.', onRouter),
  row(
    '4.20/signer-rateModel',
    'rateModel: its owner signs; refused while market or factory owns it.',
    onModel,
    pendingModel,
  ),
  row(
    '4.20/signer-insuranceFund',
    'insuranceFund: its owner signs; refused while market or factory owns it.',
    onFund,
    pendingFund,
  ),
  row('4.20/pending-curator', 'Every target is refused while there is no lender of record.', seeking),
  ...fieldRows({ section: '4.20', operation, leg: 'build', at: 'data' }, run, {
    action: ['string', 'SIGN_TRANSACTION.'],
    target: ['string', 'Which proxy.'],
    'transaction.to': ['string', 'The proxy.'],
    'transaction.data': ['string', 'The call of upgradeToAndCall.'],
    to: ['string', 'The same beside it.'],
    data: ['string', 'The same beside it.'],
    chainId: ['integer', 'Beside the transaction, not in it.'],
    value: ['string', '0, beside the transaction, not in it.'],
    functionName: ['string', 'upgradeToAndCall; absent on router.', onRouter],
    requiredRole: [
      'string',
      'DEFAULT_ADMIN_ROLE on market, owner on rateModel and insuranceFund; absent on router.',
      onModel,
    ],
    description: ['string', 'What the transaction does, in words.'],
    implementation: ['string', 'What it would run.'],
    previousImplementation: ['string', 'What it runs.'],
    routerAddress: ['string', 'router only.', onRouter],
    modelAddress: ['string', 'rateModel only.', onModel],
    fundAddress: ['string', 'insuranceFund only.', onFund],
    owner: ['string', 'rateModel and insuranceFund only.', onModel],
    'pokeSnapshot.to': ['string', 'market only: a second transaction that seeds the history.'],
    'pokeSnapshot.data': ['string', 'Its call.'],
    'pokeSnapshot.description': ['string', 'What it does.'],
    perimeter: ['object', 'market only: when a provider register of its own comes in on an open pool.'],
    'perimeter.borrowerRegistry': [
      'string|null',
      'The register of borrowers.',
      generation('carries a register of borrowers into the perimeter'),
    ],
    'perimeter.providerRegistry': ['null', 'The register of providers; none is installed by an upgrade.'],
    'perimeter.carried': ['boolean', 'Whether the register goes along.'],
    'perimeter.note': ['string', 'What to mind.'],
    'feeModel.openPool': ['boolean', 'market only.'],
    'feeModel.registeredVaults': ['array', 'market only.'],
    'feeModel.impact': ['object|null', 'What fixed shares change; null when nothing does.'],
    'feeModel.vaultWarnings': ['array', 'What to mind about its vaults.'],
    'followUps.reason': ['string', 'market only: why more has to be signed.'],
    'followUps.requiredRole': ['string', 'Who signs it.'],
    'followUps.steps': ['array', 'Each vault deregistered, in reverse, then registered again.'],
    acknowledgedFeeModelImpact: ['boolean', 'true when it was acknowledged.'],
    'confirmWith.endpoint': ['string', 'Where the hash is reported.'],
    'confirmWith.field': ['string', 'txHash.'],
    'confirmWith.body.txHash': ['null', 'To be filled in.'],
    'confirmWith.body.target': ['string', 'The target.'],
  }),
  row('4.20/order', 'transaction, then pokeSnapshot, then the steps of followUps, all by the market admin.', run),
  ...fieldRows({ section: '4.20/confirm', operation, leg: 'confirm', at: 'data' }, run, {
    confirmed: ['boolean', 'true.'],
    target: ['string', 'As sent.'],
    proxy: ['string', 'Lowercased.'],
    txHash: ['string', 'As sent.'],
    implementation: ['string', 'From the event, lowercased.'],
    signer: ['string', 'Lowercased.'],
  }),
  row('4.20/confirm-target', 'The transaction must have called the proxy of the target.', wrongHash),
  row('4.20/confirm-function', 'It must have called upgradeToAndCall or upgradeTo.', wrongHash),
  row('4.20/confirm-event', 'It must have made the proxy emit Upgraded.', wrongHash),
  row(
    '3/upgraded',
    'A confirmed upgrade: the proxy runs what the factory serves; a repeat is ALREADY_UPGRADED.',
    run,
    onModel,
  ),
  row(
    '3/market-pending-curator',
    'Without a lender of record upgrades and extensions are refused MARKET_PENDING_CURATOR.',
    seeking,
    testsIn(
      'apps/server/src/lending/extensions/propose-extension.route.test.ts',
      'proposing an extension',
    )('refuses before there is a lender of record'),
  ),
  row('6/Upgraded', 'The event Upgraded is required to confirm, and names the implementation.', run, wrongHash),
  row(
    '8/fixed-shares-after-upgrade',
    '8 % operator and 5 % distributor of the interest left after 15 %.',
    unacknowledged,
    splits('is the split of interest, whose five parts are the whole, and the flat fees'),
  ),
  row(
    '9/never-chosen',
    'Proxies are upgraded to what the factory serves; the target is never chosen by the caller.',
    run,
  ),
  ...codeRows('7/4.20', operation, 'build', {
    NO_MARKET_ADDRESS: [400, 'the market is not on chain'],
    VALIDATION_ERROR: [400, 'target, txHash or acknowledgeFeeModelImpact is none'],
    MARKET_PENDING_CURATOR: [409, 'no lender of record'],
    ALREADY_UPGRADED: [409, 'the proxy runs it already'],
    MARKET_NOT_IN_FACTORY: [409, 'the factory did not deploy the market'],
    FACTORY_UNREADABLE: [503, 'the factory could not be read'],
    FEE_MODEL_IMPACT_UNACKNOWLEDGED: [409, 'the impact is not acknowledged', 'details.feeModel'],
    RATE_MODEL_OWNER_PENDING: [409, 'market or factory still owns the model', 'owner', 'pendingOwner'],
    INSURANCE_FUND_OWNER_PENDING: [409, 'market or factory still owns the fund', 'owner', 'pendingOwner'],
    NO_TARGET_IMPL: [400, 'the factory serves nothing for the proxy'],
    TARGET_IMPL_NO_CODE: [400, 'nothing stands at the implementation'],
    TARGET_IMPL_NOT_INSTRUMENTED: [400, 'market: no snapshot function'],
    TARGET_IMPL_NOT_STAMPING: [400, 'market: stamps no terms, or holds no proceeds of the venue'],
    TARGET_IMPL_NOT_CEILINGED: [400, 'rateModel: no ceiling of fixed rates'],
    TARGET_IMPL_NOT_TOPPABLE: [400, 'insuranceFund: no top-up for everybody'],
    TARGET_IMPL_NOT_ROTATABLE: [400, 'router: no rotation of the sale recipient'],
    MARKET_STATE_UNAVAILABLE: [503, 'market: could not be read'],
    MODEL_UNRESOLVED: [503, 'rateModel: not known'],
    MODEL_STATE_UNAVAILABLE: [503, 'rateModel: could not be read'],
    FUND_UNRESOLVED: [503, 'insuranceFund: not known'],
    FUND_STATE_UNAVAILABLE: [503, 'insuranceFund: could not be read'],
    ROUTER_UNRESOLVED: [400, 'router: not on record, and the market cannot be asked'],
    MARKET_UPGRADE_FAILED: [400, 'market: could not be prepared'],
    MODEL_UPGRADE_FAILED: [400, 'rateModel: could not be prepared'],
    FUND_UPGRADE_FAILED: [400, 'insuranceFund: could not be prepared'],
    ROUTER_UPGRADE_FAILED: [400, 'router: could not be prepared'],
    MISSING_MARKET_ID: [400, 'marketId longer than 100 characters'],
    MARKET_NOT_FOUND: [404, 'no such market'],
  }),
  ...codeRows('7/4.20/confirm', operation, 'confirm', {
    VALIDATION_ERROR: [400, 'txHash is none'],
    MODEL_UNRESOLVED: [409, 'the market has no rate model'],
    NO_INSURANCE_FUND: [409, 'the market has no insurance fund'],
    ROUTER_UNRESOLVED: [503, 'router: not on record, and the market cannot be asked'],
    TX_NOT_VERIFIED: [400, 'no Upgraded on that proxy'],
    NO_MARKET_ADDRESS: [400, 'the market is not on chain'],
    MISSING_MARKET_ID: [400, 'marketId longer than 100 characters'],
    MARKET_NOT_FOUND: [404, 'no such market'],
  }),
  row(
    '7/4.20/pendingOwner',
    'pendingOwner stands there once somebody is nominated.',
    pendingModel,
    pendingFund,
    nobodyNominated,
  ),
  row('7/4.20/curator-not-on-confirm', 'A confirmation does not ask for a lender of record.', seeking),
]

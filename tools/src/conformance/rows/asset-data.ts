import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const folder = 'apps/server/src/lending/asset-data'
const attest = testsIn(`${folder}/attest-asset-data.route.test.ts`, 'attesting asset data')
const read = testsIn(`${folder}/get-asset-data.route.test.ts`, 'reading asset data')
const bytes = testsIn(`${folder}/bundle.rules.test.ts`, 'the bytes of a bundle')
const acknowledge = testsIn(`${folder}/acknowledge-asset-data.route.test.ts`, 'acknowledging asset data')
const profiles = testsIn(
  'apps/server/src/tokens/set-profile.route.test.ts',
  'PUT /external-tokens/api/{tokenAddress}/profile',
)

const whole = attest(
  'building answers what the deployer signs while the market seeks its lender, and the bytes it stands for',
)
const byIssuer = attest(
  'building answers what the issuer of the adoption terms signs afterwards, and tells that the lender falls behind',
)
const everyField = attest('building carries every field of a full profile into the bundle')
const first = attest('building knows no earlier hash of a market that nobody attested')
const proven = attest('confirming proves the attestation, records it once, and shows what stands now')
const current = attest('building is refused while the standing attestation says what the profile says, and names it')
const stale = acknowledge('takes only what stands: a bundle that was replaced meanwhile has to be reviewed first')
const profile = attest('building needs an active import of the token with a profile that says something')
const building = { operation: 'attestAssetData', leg: 'build' } as const

export const assetDataRows: readonly Row[] = [
  ...fieldRows({ ...building, section: '2.bundle', at: 'data.bundle' }, whole, {
    schemaVersion: ['string', '1.0.0.'],
    'market.chainId': ['integer', 'The chain of the market.'],
    'market.factory': ['string', 'The factory that deployed it.'],
    'market.family': ['string', 'FUNGIBLE.'],
    'market.borrowAsset': ['string', 'What it lends.'],
    'market.collateralMode': ['string', 'FREEZE or CUSTODY.'],
    'market.priceSource': ['string', 'NAV or MARKET.'],
    'token.tokenAddress': ['string', 'The collateral.'],
    'token.name': ['string', 'As stored by the import.'],
    'token.symbol': ['string', 'As stored by the import.'],
    'token.decimals': ['integer', 'As stored by the import.'],
    'token.framework': ['string', 'As detected.'],
    'token.assetType': ['string', 'As the importer classified it.'],
    'token.totalSupply': ['string', 'As of the last read.'],
    'profile.issuerName': ['string', 'From the published profile.', everyField],
    'profile.jurisdiction': ['string', 'From the published profile.', everyField],
    'profile.sector': ['string', 'From the published profile.', everyField],
    'profile.isin': ['string', 'From the published profile.', everyField],
    'profile.website': ['string', 'From the published profile.', everyField],
    'profile.prospectusURI': ['string', 'From the published profile.', everyField],
    'profile.documents': ['array', 'From the published profile: name and uri of each.', everyField],
    'profile.documents[].name': ['string', 'What the document is.', everyField],
    'profile.documents[].uri': ['string', 'Where it is.', everyField],
  }),
  row(
    '2.bundle/canonical',
    'The canonical form is JSON with sorted keys at every level.',
    bytes('hash as everybody else hashes them'),
  ),
  row(
    '2.bundle/hash',
    'contentHash is the hash of exactly those bytes.',
    bytes('hash as everybody else hashes them'),
    whole,
  ),
  row(
    '2.bundle/stored-when-built',
    'The bytes are stored when the transaction is built, and found by their hash.',
    whole,
  ),
  row(
    '2.bundle/kept',
    'They are served for what stands and for what stood before.',
    read('the bytes are served with the hash they have, for what stands and for what stood'),
  ),
  row(
    '2.bundle/profile-published',
    'A profile is published with exactly these fields.',
    profiles('publishes every field exactly as given'),
  ),

  row('4.4/no-body', 'The route takes no body.', whole),
  row(
    '4.4/address',
    'market is 0x and 40 hex digits.',
    attest('building tells the first rule that an address breaks, and gives no list'),
  ),
  row('4.4/replaces', 'The attestation that stands is replaced by what the profile produces now.', proven),
  ...fieldRows({ ...building, section: '4.4', at: 'data' }, whole, {
    action: ['string', 'SIGN_TRANSACTION.'],
    transaction: ['object', 'To the lending factory.'],
    'transaction.to': ['string', 'The lending factory.'],
    'transaction.data': ['string', 'The encoded call.'],
    'transaction.value': ['string', '0.'],
    'transaction.chainId': ['integer', 'Inside of the transaction.'],
    functionName: ['string', 'attestAssetData.'],
    marketAddress: ['string', 'Lowercased.'],
    signer: ['string', 'The wallet of the instance that attests.'],
    signerRole: ['string', 'DEPLOYER or ISSUER.', byIssuer],
    contentHash: ['string', 'Hash of the canonical bytes.'],
    schemaVersion: ['string', '1.0.0.'],
    canonicalJson: ['string', 'The bytes as text.'],
    bundle: ['object', 'The same as an object.'],
    previousHash: ['string|null', 'What stands; null when nothing does.', first],
    previousVersion: ['integer', 'Its version.'],
    nextVersion: ['integer', 'One more.'],
    acknowledged: ['string|null', 'What the lender has acknowledged, or null.', byIssuer],
    divergesAfter: ['boolean', 'True when an acknowledgement exists.', byIssuer],
    note: ['string', 'What to mind.'],
    'confirmWith.endpoint': ['string', 'Where the hash is reported.'],
    'confirmWith.field': ['string', 'txHash.'],
  }),
  row('4.4/confirm', 'The confirmation takes txHash and proves the attestation.', proven),
  row('4.4/attestor-seeking', 'While the market seeks its lender, the deploying wallet attests.', whole),
  row('4.4/attestor-adopted', 'Once adopted, the issuer wallet of the adoption terms attests.', byIssuer),
  row(
    '4.4/attestor-only',
    'A verified wallet of the instance must be that attestor.',
    attest('building is for nobody but the attestor'),
  ),
  row(
    '4.4/attestor-at-build',
    'Who attests is read at the build: adopted before it is mined, a deployer-signed transaction reverts NotAttestor.',
    attest('building is for the attestor of its moment: signed by the deployer, it reverts after the adoption'),
  ),
  row(
    '4.4/profile-required',
    'An empty profile, or a token without an active import, is TOKEN_PROFILE_REQUIRED.',
    profile,
  ),
  row(
    '4.4/first-rule-only',
    'Validation tells the first rule that failed as message, and no list.',
    attest('building tells the first rule that an address breaks, and gives no list'),
  ),
  row(
    '4.4/access',
    'Every access code of the read applies to the attestation.',
    attest('building finds no market that the factory did not deploy, or that is none of your business'),
  ),
  row('3/asset-data-diverged', 'A different bundle, mined after an acknowledgement, reads DIVERGED.', stale),
  row('3/asset-data-acknowledged', 'It stays DIVERGED until the lender acknowledges the new version.', stale),
  row('3/asset-data-version', 'The version count rises by one with each attestation.', proven, stale),
  row('3/asset-data-current', 'A bundle that equals the one that stands is refused, and nothing changes.', current),
  ...codeRows('7/4.4', 'attestAssetData', 'build', {
    VALIDATION_ERROR: [400, 'market is no address'],
    INVALID_ASSET_DATA: [400, 'a fact or a profile field cannot enter the bundle'],
    NOT_ATTESTOR: [403, 'no verified wallet is the attestor', 'details.attestor', 'details.role'],
    MARKET_NOT_DEPLOYED: [404, 'the factory has no such deployment'],
    ATTESTOR_UNRECORDED: [409, 'the factory records no deployer'],
    ATTESTATION_CURRENT: [409, 'the standing attestation says the same', 'details'],
    FACTORY_UPGRADE_REQUIRED: [409, 'the factory predates attestation'],
    TOKEN_PROFILE_REQUIRED: [422, 'no active import, or an empty profile'],
    ATTEST_BUILD_FAILED: [500, 'an unclassified failure'],
    FACTORY_READ_FAILED: [503, 'the factory could not be read'],
    MARKET_STATE_UNAVAILABLE: [503, 'the settlement asset could not be read'],
  }),
  row('9/schema-version', 'A bundle carries schemaVersion 1.0.0.', whole),
  row('9/attestation-version', 'The factory counts the attestations of each market, one more each time.', proven),
]

import { codeRows, fieldRows, type Row, row, testsIn } from '../row.ts'

const list = testsIn('apps/server/src/tokens/list-imports.route.test.ts', 'GET /external-tokens/api/list')
const taken = testsIn('apps/server/src/tokens/import-token.route.test.ts', 'POST /external-tokens/api/import')
const detected = testsIn('apps/server/src/tokens/detect-token.route.test.ts', 'POST /external-tokens/api/detect')
const refreshed = testsIn(
  'apps/server/src/tokens/refresh-import.route.test.ts',
  'POST /external-tokens/api/{tokenAddress}/refresh',
)
const facts = testsIn('apps/server/src/tokens/detection.rules.test.ts', 'the facts of a token')

const whole = list('answers a bare array of import records, newest first')
const anything = list('shows each import exactly as it is shown alone, whatever its amounts, texts and facts')
const element = { section: '2.import', operation: 'listImports', leg: 'read', at: 'data[]' } as const

export const importRows: readonly Row[] = [
  ...fieldRows(element, whole, {
    tokenAddress: ['string', 'Address of the imported token, lowercased: the key of the other routes of the surface.'],
    name: ['string', 'What the contract answered at the import or the last refresh.'],
    symbol: ['string', 'What the contract answered.'],
    decimals: ['integer', 'What the contract answered.'],
    framework: ['string', 'One of erc3643, erc1400, erc721, erc1155, erc20.'],
    assetType: ['string', 'The classification that the importer chose.'],
    imageURI: ['string|null', 'Address of an icon, or null.', anything],
    totalSupply: ['string', 'The supply at the last read of the chain.'],
    metadata: ['object', 'What detection found out about the framework.', anything],
    importedAt: ['string', 'ISO 8601.'],
    instanceId: ['string', 'Always the instance behind the key.'],
  }),
  row(
    '2.import/frameworks',
    'Each framework is recognised by what the contract answers.',
    detected('recognises a token of the real ERC-3643 suite'),
    detected('recognises an ERC-1400 share'),
    detected('recognises an ERC-721 certificate, which has no decimals'),
    detected('recognises an ERC-1155 collection, which has neither decimals nor one supply'),
    detected('recognises an ERC-20 in any case of its address'),
  ),
  row(
    '2.import/decimals-of-collectibles',
    'Decimals are 0 for erc721 and erc1155.',
    detected('recognises an ERC-721 certificate, which has no decimals'),
    detected('recognises an ERC-1155 collection, which has neither decimals nor one supply'),
  ),
  row(
    '2.import/erc3643-facts',
    '`metadata` of an erc3643: identityRegistry, compliance, onchainID (nullable), paused.',
    facts('of erc3643 are its registry, compliance, identity and pause'),
    detected('recognises a token of the real ERC-3643 suite'),
  ),
  row(
    '2.import/refreshed',
    'What was read from the contract is as of the last refresh.',
    refreshed('rewrites the supply after a mint and leaves the importer’s half alone'),
  ),
  row(
    '2.import/profile-not-listed',
    'The published profile is on the single import and never in the list.',
    list('shows no profile, although one is published'),
  ),

  row('4.1/bare-array', '`data` is the array itself, without an object around it.', whole),
  row('4.1/newest-first', 'The newest import comes first.', whole),
  row(
    '4.1/unpaginated',
    'All imports come at once.',
    list('shows all of 200 imports at once, and not those that were revoked before'),
  ),
  row(
    '4.1/no-revoked',
    'Revoked imports are left out.',
    list('leaves revoked imports out, and shows a token that was imported again once, as the newest'),
  ),
  row(
    '4.1/never-empty-for-a-failure',
    'A failed read is FETCH_FAILED, never an empty array.',
    list('answers FETCH_FAILED, never an empty list, when the imports cannot be read'),
  ),
  row('4.1/own-instance', 'Only imports of the own instance.', list('shows only imports of the own instance')),
  ...codeRows('7/4.1', 'listImports', 'read', { FETCH_FAILED: [500, 'the imports could not be read'] }),
  row(
    '8/active-imports',
    'At most 200 active imports per instance, and all of them are listed.',
    taken('at the limit of 200 active imports answers IMPORT_LIMIT_REACHED for the 201st, until one is revoked'),
    list('shows all of 200 imports at once, and not those that were revoked before'),
  ),
]

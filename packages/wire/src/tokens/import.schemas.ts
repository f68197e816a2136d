import { type Static, Type } from 'typebox'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

export const frameworks = ['erc3643', 'erc1400', 'erc721', 'erc1155', 'erc20'] as const
export type Framework = (typeof frameworks)[number]

export const assetTypes = [
  'PUBLIC_EQUITY',
  'PRIVATE_EQUITY',
  'REAL_ESTATE',
  'COMMODITY',
  'ART',
  'WATCH',
  'INFRASTRUCTURE',
  'BOND',
  'CRYPTO_ASSET',
] as const
export type AssetType = (typeof assetTypes)[number]

/** What the code of a token lets expect, where it answers like a plain ERC-20. */
export const tokenWarnings = ['PAUSABLE', 'BLOCK_LIST', 'RULE_ENGINE', 'SNAPSHOT', 'FORCED_TRANSFER'] as const

const Warning = Type.Object(
  {
    code: OneOf(tokenWarnings),
    functions: Type.Array(Type.String(), { description: 'The functions that its code has, for example `pause()`.' }),
    message: Type.String(),
  },
  { additionalProperties: false },
)
export type TokenWarning = Static<typeof Warning>

const Warnings = Type.Array(Warning, {
  description:
    'Restrictions whose functions are in the code of a token that answers like a plain ERC-20, also behind a proxy. A hint, no proof: empty does not say that there are none.',
})

const chainHalf = {
  tokenAddress: LowercaseAddress,
  name: Type.String({ description: 'Read from the contract at import or last refresh.' }),
  symbol: Type.String({ maxLength: 16 }),
  decimals: Type.Integer({ minimum: 0, description: 'Always 0 for erc721 and erc1155.' }),
  framework: OneOf(frameworks),
  totalSupply: DecimalString,
  totalSupplyAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When `totalSupply` was so: the time of the block it was read at. Null: read before this was kept.',
    }),
  ),
  totalSupplyBlock: Nullable(Type.String({ description: 'The number of that block.' })),
}

const importerHalf = {
  assetType: OneOf(assetTypes, { description: 'Chosen by the importer.' }),
  imageURI: Nullable(Type.String()),
}

const FrameworkFacts = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Framework-specific facts. erc3643: identityRegistry, compliance, onchainID (nullable), paused (nullable). erc1400: isControllable, isIssuable, granularity. erc1155: uri.',
  },
)

/** Element of the import list. */
export const ImportRecord = Type.Object(
  {
    ...chainHalf,
    ...importerHalf,
    metadata: FrameworkFacts,
    warnings: Warnings,
    importedAt: Instant,
    instanceId: Type.String(),
  },
  { additionalProperties: false },
)

/** Answer of an import: what the importer needs to see at once. */
export const ImportedToken = Type.Object(
  { ...chainHalf, ...importerHalf, warnings: Warnings, importedAt: Instant, status: Type.Literal('active') },
  { additionalProperties: false },
)

export const Evidence = Type.Object(
  {
    call: Type.String({ description: 'What was asked, for example `identityRegistry()`.' }),
    outcome: OneOf([
      'VALUE',
      'REVERTED',
      'OUT_OF_GAS',
      'EMPTY',
      'TOO_LARGE',
      'NO_CODE',
      'SKIPPED',
      'MALFORMED',
    ] as const),
    value: Type.Optional(Type.String({ description: 'The decoded answer, when there was a readable one.' })),
  },
  { additionalProperties: false },
)

export const Detection = Type.Object(
  {
    ...chainHalf,
    environment: OneOf(['DEVELOPMENT', 'PRODUCTION'] as const),
    details: FrameworkFacts,
    alreadyImported: Type.Boolean(),
    degradedMetadata: Type.Optional(
      Type.Literal(true, { description: 'The contract answered no clean name or symbol; a stand-in is shown.' }),
    ),
    evidence: Type.Array(Evidence, { description: 'The detection, call by call.' }),
  },
  { additionalProperties: false },
)

const text = (maxLength: number, description: string) => Type.String({ maxLength, description })

export const profileFields = [
  'issuerName',
  'jurisdiction',
  'sector',
  'isin',
  'website',
  'prospectusURI',
  'documents',
] as const

/** What makes one lot of a commodity as good as another: books of one class may pool their depth. Enters no asset-data bundle. */
const CommodityClass = Type.Object(
  {
    symbol: Type.Optional(text(16, 'Symbol of the commodity, like XAU; the symbol of the token on chain.')),
    fineness: Type.Optional(text(8, 'Parts in a thousand, like 999.9.')),
    unitBasis: Type.Optional(text(32, 'GRAM or TROY_OUNCE.')),
    backing: Type.Optional(text(32, 'ALLOCATED_REDEEMABLE or UNALLOCATED_CASH_SETTLED.')),
  },
  { additionalProperties: false },
)

/** The published description of a token: the fields that enter an asset-data bundle, and the class of a commodity. */
export const Profile = Type.Object(
  {
    issuerName: Type.Optional(text(120, 'Legal name of the issuer.')),
    jurisdiction: Type.Optional(text(64, 'Where the issuer is established.')),
    sector: Type.Optional(text(64, 'Line of business.')),
    isin: Type.Optional(text(12, 'ISO 6166, check digit verified.')),
    website: Type.Optional(text(512, 'https only.')),
    prospectusURI: Type.Optional(text(1024, 'https or ipfs.')),
    documents: Type.Optional(
      Type.Array(
        Type.Object(
          { name: text(120, 'What the document is.'), uri: text(1024, 'https or ipfs.') },
          { additionalProperties: false },
        ),
        { maxItems: 20 },
      ),
    ),
    commodity: Type.Optional(CommodityClass),
  },
  { additionalProperties: false },
)

/** A single import: the record with its profile and the evidence of its detection. */
export const ImportDetails = Type.Object(
  {
    ...chainHalf,
    ...importerHalf,
    metadata: FrameworkFacts,
    warnings: Warnings,
    importedAt: Instant,
    updatedAt: Instant,
    profile: Nullable(Profile),
    evidence: Type.Array(Evidence),
  },
  { additionalProperties: false },
)

export const RefreshedImport = Type.Object(
  {
    onchain: Detection,
    storedFramework: OneOf(frameworks),
    frameworkMatches: Type.Boolean(),
    persisted: Type.Boolean({ description: 'False when the framework changed: the record is then left intact.' }),
    record: Type.Object(
      { ...chainHalf, metadata: FrameworkFacts, warnings: Warnings, updatedAt: Instant },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { ContentHash } from './asset-data.schemas.ts'
import {
  acceptErrors,
  accessRoleBuildErrors,
  confirmAcceptErrors,
  confirmOnMarketErrors,
  nominateErrors,
  nominationsErrors,
  operatorErrors,
  operatorWalletErrors,
  pendingErrors,
  queueDetailsErrors,
  queuedErrors,
  roleBuildErrors,
  roleConfirmErrors,
  roleReadErrors,
  withdrawErrors,
} from './curator.errors.ts'
import {
  AdoptedMarket,
  Adoption,
  accessRoles,
  Claim,
  Handover,
  LiquidatorToSign,
  Operator,
  PendingMarket,
  QueuedMarket,
  QueuedMarketDetails,
  RoleConfirmed,
  RoleState,
  RoleToSign,
  RoleUnchanged,
  UnreadHandover,
} from './curator.schemas.ts'
import { deployedMarketErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { builtA, ConfirmWith, realizationModes, verifiedBy } from './lending.schemas.ts'

const optional = Type.Optional

/** A market by its address: who asks has no record of it yet. */
const ofQueue = {
  params: Type.Object({ market: Address }),
  fieldCodes: { market: 'VALIDATION_ERROR' },
} as const

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const

/* THE QUEUE */

export const listPendingMarkets = defineOperation({
  ...lendingPath('/markets/queue/pending'),
  id: 'listPendingMarkets',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List markets that seek a lender',
  description: 'Every market of the factory without a lender of record, whoever deployed it, oldest first.',
  query: Type.Object({ limit: optional(Type.String()), offset: optional(Type.String()) }),
  fault: 'PENDING_FAILED',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    read: {
      data: Data({
        markets: Type.Array(PendingMarket),
        total: Type.Integer(),
        offset: Type.Integer(),
        limit: Type.Integer(),
      }),
      errors: pendingErrors,
    },
  },
})

export const listQueuedMarkets = defineOperation({
  ...lendingPath('/markets/queued'),
  id: 'listQueuedMarkets',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List your queue',
  description:
    'Markets without a lender of record that concern your instance: it is nominated, they are open to claims, or it deployed them. At most 25.',
  fault: 'QUEUE_FAILED',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    read: {
      data: Data({
        markets: Type.Array(QueuedMarket),
        wallets: Type.Array(LowercaseAddress),
        truncated: Type.Boolean(),
        isBank: Type.Boolean({ description: 'Your instance is approved as a lender.' }),
        source: Type.Literal('CHAIN'),
      }),
      errors: queuedErrors,
    },
  },
})

export const getQueuedMarket = defineOperation({
  ...lendingPath('/markets/queued/{market}/details'),
  ...ofQueue,
  id: 'getQueuedMarket',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a market of your queue',
  description:
    'Everything to be reviewed before adopting a market: what it offers, what was attested about its collateral, and where that disagrees with the chain.',
  fault: 'QUEUE_DETAILS_FAILED',
  unreadable: 'MARKET_VERIFICATION_UNAVAILABLE',
  legs: { read: { data: QueuedMarketDetails, errors: queueDetailsErrors } },
})

/* NOMINATIONS */

export const listNominations = defineOperation({
  ...lendingPath('/markets/{marketId}/nominations'),
  ...ofMarket,
  id: 'listNominations',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List nominations',
  description: 'Who may adopt the market. The list is frozen once the market has its lender of record.',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    read: {
      data: Data({
        candidates: Type.Array(LowercaseAddress),
        curator: Nullable(LowercaseAddress),
        seekingCurator: Type.Boolean(),
        realizationMode: OneOf(realizationModes),
      }),
      errors: nominationsErrors,
    },
  },
})

const candidate = Type.String({ description: 'Required to build; a cross-check with `txHash`.' })
const ofCandidate = {
  build: Body({ candidate }),
  confirm: Body({ candidate: optional(candidate), txHash: Hash }),
} as const
const nominationBuilt = Data({
  ...builtA,
  marketAddress: LowercaseAddress,
  candidate: LowercaseAddress,
  signer: LowercaseAddress,
  confirmWith: ConfirmWith,
})
const nominationConfirmed = Data({
  txHash: Type.String(),
  ...verifiedBy,
  signedBy: LowercaseAddress,
  marketAddress: LowercaseAddress,
  candidate: LowercaseAddress,
})

export const nominateCurator = defineOperation({
  ...lendingPath('/markets/{marketId}/nominations'),
  ...ofMarket,
  id: 'nominateCurator',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Nominate a lender',
  description: 'Lets a wallet adopt the market in one transaction. With `txHash`: confirms the nomination.',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    build: { body: ofCandidate.build, data: nominationBuilt, errors: nominateErrors },
    confirm: { body: ofCandidate.confirm, data: nominationConfirmed, errors: confirmOnMarketErrors },
  },
})

export const withdrawNomination = defineOperation({
  ...lendingPath('/markets/{marketId}/nominations/withdraw'),
  ...ofMarket,
  id: 'withdrawNomination',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Withdraw a nomination',
  description: 'With `txHash`: confirms the withdrawal.',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    build: { body: ofCandidate.build, data: nominationBuilt, errors: withdrawErrors },
    confirm: { body: ofCandidate.confirm, data: nominationConfirmed, errors: confirmOnMarketErrors },
  },
})

/* ADOPTION */

export const acceptCuratorRole = defineOperation({
  ...lendingPath('/markets/queued/{market}/accept'),
  params: ofQueue.params,
  fieldCodes: {
    ...ofQueue.fieldCodes,
    admin: 'INVALID_CURATOR_TERMS',
    issuer: 'INVALID_CURATOR_TERMS',
    collateralAgent: 'INVALID_CURATOR_TERMS',
    saleRecipient: 'INVALID_CURATOR_TERMS',
    liquidationOperator: 'INVALID_CURATOR_TERMS',
    oracleOwner: 'INVALID_CURATOR_TERMS',
    priceSigner: 'INVALID_CURATOR_TERMS',
    identityRegistry: 'INVALID_CURATOR_TERMS',
    providerRegistry: 'INVALID_CURATOR_TERMS',
    liquidator: 'INVALID_CURATOR_TERMS',
    vault: 'INVALID_CURATOR_TERMS',
    realizationMode: 'INVALID_REALIZATION_MODE',
    liquidityCommitment: 'INVALID_LIQUIDITY_COMMITMENT',
    assetDataHash: 'INVALID_CONTENT_HASH',
  },
  id: 'acceptCuratorRole',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Adopt a market',
  description:
    'A nominee adopts in one transaction. A claimant on an open market first commits to these very terms, waits 600 seconds, and calls again with the `claimSalt` of the first answer, within three days. Adoption is final.',
  body: Body({
    admin: Address,
    issuer: Address,
    collateralAgent: Address,
    saleRecipient: Address,
    liquidationOperator: Address,
    oracleOwner: Address,
    priceSigner: Address,
    realizationMode: OneOf(['EXCHANGE_SALE', 'ISSUER_REDEMPTION', 'AUCTION']),
    liquidityCommitment: optional(Type.String({ description: 'Decimal in borrow asset units; declaratory.' })),
    maxFixedRateBps: optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
    identityRegistry: optional(
      Type.String({ description: 'Register of borrowers; nominees only, and ignored where one is installed.' }),
    ),
    providerRegistry: optional(Type.String({ description: 'Declared for the providers behind vaults.' })),
    liquidator: optional(Type.String({ description: 'Default: the wallet that signs.' })),
    vault: optional(Type.String({ description: 'Registered at once; must be operated by the wallet that signs.' })),
    assetDataHash: optional(Hash),
    acknowledgeAssetData: optional(Type.Literal(false)),
    claimSalt: optional(Hash),
  }),
  unreadable: 'MARKET_VERIFICATION_UNAVAILABLE',
  legs: { build: { data: Type.Union([Adoption, Claim]), errors: acceptErrors } },
})

export const confirmAcceptance = defineOperation({
  ...lendingPath('/markets/queued/{market}/confirm-accept'),
  ...ofQueue,
  id: 'confirmAcceptance',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm an adoption',
  description: 'Proves the adoption and records the market on your instance, under an id of its own.',
  body: Body({ txHash: Hash }),
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Data({
        market: AdoptedMarket,
        txHash: Type.String(),
        ...verifiedBy,
        curator: LowercaseAddress,
        handover: Nullable(Handover),
        assetData: Nullable(Data({ contentHash: ContentHash, version: Type.Integer(), curator: LowercaseAddress })),
      }),
      errors: confirmAcceptErrors,
    },
  },
})

/* OPERATOR */

export const getHandover = defineOperation({
  ...lendingPath('/markets/{marketId}/handover'),
  ...ofMarket,
  id: 'getHandover',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the handover',
  description:
    'Who owns oracle, rate model and insurance fund. Adoption hands all three over; a transfer that an owner starts later waits here for its nominee.',
  legs: { read: { data: Type.Union([Handover, UnreadHandover]), errors: deployedMarketErrors } },
})

export const getOperator = defineOperation({
  ...lendingPath('/markets/{marketId}/operator'),
  ...ofMarket,
  id: 'getOperator',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the operator',
  description: 'The lender of record, the wallet that earns its share, what it did, and what the market owes to whom.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { read: { data: Operator, errors: operatorErrors } },
})

const newWallet = {
  newRecipient: Type.String({ description: 'Required to build; a cross-check with `txHash`.' }),
  signerAddress: optional(Address),
} as const

export const setOperatorWallet = defineOperation({
  ...lendingPath('/markets/{marketId}/operator-wallet'),
  ...ofMarket,
  id: 'setOperatorWallet',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Change the operator wallet',
  description:
    'Moves the operator share, what is booked of it already, and the right to deposit to another wallet of your instance. Neither pool shares nor roles move. With `txHash`: confirms it.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(newWallet),
      data: Data({
        ...builtA,
        marketAddress: LowercaseAddress,
        requiredSigner: LowercaseAddress,
        previous: LowercaseAddress,
        newRecipient: LowercaseAddress,
        description: Type.String(),
        confirmWith: ConfirmWith,
      }),
      errors: operatorWalletErrors,
    },
    confirm: {
      body: withHash(newWallet),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        signedBy: LowercaseAddress,
        previous: LowercaseAddress,
        operatorWallet: LowercaseAddress,
      }),
      errors: confirmOnMarketErrors,
    },
  },
})

/* ROLES */

const action = OneOf(['grant', 'revoke'])
const account = Type.String({ description: 'The wallet or contract that gets or loses the role.' })
const liquidator = { address: account, action } as const
const confirmedRole = { data: Data({ ...RoleConfirmed, ...verifiedBy }), errors: roleConfirmErrors } as const
const anyRole = { role: OneOf(accessRoles), ...liquidator } as const

export const setAccessRole = defineOperation({
  ...lendingPath('/markets/{marketId}/access-role'),
  ...ofMarket,
  id: 'setAccessRole',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Grant or revoke a role',
  description:
    'Nothing stops the last admin of a contract from leaving: grant first, revoke then. With `txHash`: confirms it; the other fields must be the same.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body(anyRole), data: Type.Union([RoleToSign, RoleUnchanged]), errors: accessRoleBuildErrors },
    confirm: { body: Body({ ...anyRole, txHash: Hash }), ...confirmedRole },
  },
})

export const getAccessRole = defineOperation({
  ...lendingPath('/markets/{marketId}/access-role/{address}'),
  id: 'getAccessRole',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a role',
  description: `Whether a wallet holds a role: \`role\` is one of ${accessRoles.join(', ')}.`,
  params: Type.Object({ ...MarketPath.properties, address: Type.String() }),
  query: Type.Object({ role: optional(Type.String()) }),
  fieldCodes: marketIdCode,
  legs: { read: { data: RoleState, errors: roleReadErrors } },
})

export const setLiquidatorRole = defineOperation({
  ...lendingPath('/markets/{marketId}/liquidator-role'),
  ...ofMarket,
  id: 'setLiquidatorRole',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Grant or revoke the liquidator role',
  description: 'Who may realize loans of the market. With `txHash`: confirms it; the other fields must be the same.',
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body(liquidator), data: Type.Union([LiquidatorToSign, RoleUnchanged]), errors: roleBuildErrors },
    confirm: { body: Body({ ...liquidator, txHash: Hash }), ...confirmedRole },
  },
})

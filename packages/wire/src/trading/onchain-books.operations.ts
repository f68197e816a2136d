import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, Id, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  attestationErrors,
  chainErrors,
  identifierErrors,
  pairErrors,
  settlementErrors,
  setupErrors,
  vaultErrors,
} from './custody.errors.ts'
import { ChainAmount, ChainAmountIn, UnsignedTransaction } from './custody.schemas.ts'
import { bookPathErrors, configErrors, existsErrors } from './trading.errors.ts'
import {
  Body,
  BookPath,
  bookIdCode,
  Data,
  onCommodities,
  onEveryClass,
  onExternalSecurities,
  onStocks,
  optional,
  trading,
} from './trading.operation.ts'
import {
  auctionSettings,
  bookRules,
  bookStatuses,
  circuitBreaker,
  feedSettings,
  newBook,
  OrderBook,
  referenceSettings,
  SharedPeers,
  tokenTypes,
} from './trading.schemas.ts'

const { mmMakerRebateBps: _, ...commodityRules } = bookRules
const offers = { allowImport: optional(Type.Boolean()), allowSharedLiquidity: optional(Type.Boolean()) } as const
const references = { ...referenceSettings, ...feedSettings, ...circuitBreaker } as const
const txHash = optional(Hash)

const SETUP =
  'Where the custody contract is not ready, nothing is created and the answer is 409 `CUSTODY_SETUP_REQUIRED`: `error.setup.steps` are the transactions to sign. Repeat the same request with their hashes in `custodySetupTxs`; each is checked, then the chain is read again, and that reading decides.'

const creation = {
  ...trading,
  method: 'POST',
  scope: 'trading:write',
  unreadable: 'CHAIN_UNAVAILABLE',
} as const

const createErrors = {
  ...validationErrors,
  ...configErrors,
  ...existsErrors,
  ...pairErrors,
  ...setupErrors,
} as const

export const createStockBook = defineOperation({
  ...creation,
  id: 'createStockBook',
  ...onStocks('/order-books'),
  summary: 'Create a stock book',
  description: `Off chain unless \`settlementMode\` says \`ON_CHAIN\`. ${SETUP}`,
  body: Body({
    ...newBook,
    settlementMode: optional(OneOf(['OFF_CHAIN', 'ON_CHAIN'] as const)),
    tokenType: optional(
      OneOf(['STOCK_TOKEN', 'LIGHT_TOKEN'] as const, {
        description: 'STOCK_TOKEN unless given. A LIGHT_TOKEN book is off chain and served under `/offchain` alone.',
      }),
    ),
    custodyContract: optional(Address),
    underlyingIdentifier: optional(Type.String({ pattern: '^[A-Za-z0-9]{12}$' })),
    stockTokenId: optional(Id),
    ...bookRules,
    ...offers,
    ...auctionSettings,
    ...references,
    custodySetupTxs: optional(Body({ baseToken: txHash, quoteToken: txHash, tokenAuthorization: txHash })),
  }),
  legs: {
    write: {
      data: OrderBook,
      errors: {
        ...createErrors,
        ...vaultErrors,
        ...identifierErrors,
        NO_CUSTODY_CONTRACT: { status: 400, message: 'An on-chain book needs a custodyContract.' },
      },
    },
  },
})

export const createCommodityBook = defineOperation({
  ...creation,
  id: 'createCommodityBook',
  ...onCommodities('/order-books'),
  summary: 'Create a commodity book',
  description: `On chain. \`allowSharedLiquidity\` needs the class of the commodity in the published profile of the token. ${SETUP}`,
  body: Body({
    ...newBook,
    settlementMode: optional(Type.Literal('ON_CHAIN')),
    custodyContract: Address,
    ...commodityRules,
    ...offers,
    ...references,
    custodySetupTxs: optional(Body({ baseToken: txHash, quoteToken: txHash })),
  }),
  legs: { write: { data: OrderBook, errors: { ...createErrors, ...vaultErrors, ...attestationErrors } } },
})

export const createSecurityBook = defineOperation({
  ...creation,
  id: 'createSecurityBook',
  ...onExternalSecurities('/order-books'),
  summary: 'Create a book for an external security',
  description: `On chain, between the wallets of the traders. The token must be an active import of framework \`erc3643\`. \`underlyingIdentifier\` is required until the security is registered. ${SETUP}`,
  body: Body({
    ...newBook,
    custodyContract: optional(Address),
    settlementOperator: Address,
    underlyingIdentifier: optional(Type.String({ minLength: 1, maxLength: 64, description: '1 to 31 characters.' })),
    ...bookRules,
    ...offers,
    ...references,
    custodySetupTxs: optional(Body({ agentRole: txHash, security: txHash, quoteAsset: txHash, operator: txHash })),
  }),
  fieldCodes: { settlementOperator: 'INVALID_CONFIG', custodyContract: 'INVALID_CONFIG' },
  legs: {
    write: {
      data: OrderBook,
      errors: {
        ...createErrors,
        ...identifierErrors,
        ...settlementErrors,
        SECURITY_INACTIVE: { status: 409, message: 'The issuer has stopped the security at the settlement contract.' },
        TOKEN_METADATA_UNAVAILABLE: { status: 502, message: 'A token does not tell how many decimals it has.' },
      },
    },
  },
})

const security = {
  admin: Nullable(LowercaseAddress),
  isin: Nullable(Type.String()),
  registered: Type.Boolean(),
  active: Type.Boolean(),
  baseUnit: Nullable(ChainAmount),
} as const

export const getBookReadiness = defineOperation({
  ...trading,
  id: 'getBookReadiness',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/readiness'),
  scope: 'trading:read',
  summary: 'Whether trades of a book can settle',
  description:
    '`ready` is true when `issues` is empty. What the chain could not be asked stands there as an issue too.',
  params: BookPath,
  fieldCodes: bookIdCode,
  legs: {
    read: {
      data: Data({
        ready: Type.Boolean(),
        orderBookId: Type.String(),
        status: OneOf(bookStatuses),
        settlementMode: OneOf(['ON_CHAIN', 'OFF_CHAIN'] as const),
        tokenType: OneOf(tokenTypes),
        custodyContract: Nullable(LowercaseAddress),
        tokenAddress: LowercaseAddress,
        quoteTokenAddress: LowercaseAddress,
        issues: Type.Array(Data({ code: Type.String(), message: Type.String() })),
        sharedPeers: optional(SharedPeers),
        operatorOfThisInstance: optional(
          Nullable(
            Type.String({ description: 'A wallet of your instance that may send settlements. Null: none may.' }),
          ),
        ),
        settlementOperator: optional(Nullable(LowercaseAddress)),
        underlyingIdentifier: optional(Nullable(Type.String())),
        baseDecimals: optional(Nullable(Type.Integer())),
        quoteDecimals: optional(Nullable(Type.Integer())),
        security: optional(Nullable(Data(security))),
        tokenAuthorizationScheme: optional(
          Nullable(Type.Integer({ description: '1 agent, 2 controller, 0 neither; null: not known.' })),
        ),
        custodyIsTokenAgent: optional(Nullable(Type.Boolean())),
        quoteAssetAuthorized: optional(Nullable(Type.Boolean())),
        operatorAuthorized: optional(Nullable(Type.Boolean())),
      }),
      errors: bookPathErrors,
    },
  },
})

export const getCustodyContract = defineOperation({
  ...trading,
  id: 'getCustodyContract',
  method: 'GET',
  ...onExternalSecurities('/custody-contract'),
  scope: 'trading:read',
  summary: 'The settlement contract of your chain',
  legs: {
    read: {
      data: Data({
        custodyContract: Nullable(LowercaseAddress),
        instanceType: OneOf(['DEVELOPMENT', 'PRODUCTION'] as const),
        available: Type.Boolean(),
      }),
      errors: {},
    },
  },
})

export const listSecurityTokens = defineOperation({
  ...trading,
  id: 'listSecurityTokens',
  method: 'GET',
  ...onExternalSecurities('/security-tokens'),
  scope: 'trading:read',
  summary: 'Securities that books can be made for',
  description: 'Your active imports of framework `erc3643`, newest first.',
  legs: {
    read: {
      data: Data({
        tokens: Type.Array(
          Data({
            id: Type.String(),
            tokenAddress: LowercaseAddress,
            name: Type.String(),
            symbol: Type.String(),
            decimals: Type.Integer(),
            framework: Type.Literal('erc3643'),
            assetType: Type.String(),
            imageURI: Nullable(Type.String()),
            totalSupply: ChainAmount,
            status: Type.Literal('active'),
            importedAt: Instant,
          }),
        ),
      }),
      errors: {},
    },
  },
})

const WalletBalance = Data({
  total: ChainAmount,
  locked: Type.String({ description: 'Frozen (security), or beyond the allowance (settlement asset).' }),
  onChainAvailable: ChainAmount,
  reserved: Type.String({ description: 'By open orders and staged trades of the wallet.' }),
  available: ChainAmount,
})

export const getBookSecurity = defineOperation({
  ...trading,
  id: 'getBookSecurity',
  method: 'GET',
  ...onExternalSecurities('/order-books/{orderBookId}/security'),
  scope: 'trading:read',
  summary: 'The security behind a book, and what a wallet can trade',
  params: BookPath,
  query: Type.Object({ userAddress: optional(Address) }),
  fieldCodes: { ...bookIdCode, userAddress: 'VALIDATION_ERROR' },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        orderBookId: Type.String(),
        custodyContract: LowercaseAddress,
        tokenAddress: LowercaseAddress,
        quoteTokenAddress: LowercaseAddress,
        underlyingIdentifier: Nullable(Type.String()),
        baseDecimals: Type.Integer(),
        quoteDecimals: Type.Integer(),
        settlementOperator: Nullable(LowercaseAddress),
        security: Data({ ...security, isinRaw: Type.String() }),
        eip712: Data({
          domain: Data({
            name: Type.String(),
            version: Type.String(),
            chainId: Type.Integer(),
            verifyingContract: Type.String(),
          }),
          types: Type.Object(
            { Order: Type.Array(Data({ name: Type.String(), type: Type.String() })) },
            { additionalProperties: false },
          ),
        }),
        balances: optional(Data({ base: WalletBalance, quote: WalletBalance })),
        quoteAllowance: optional(ChainAmount),
      }),
      errors: { ...validationErrors, ...bookPathErrors, ...chainErrors },
    },
  },
})

export const approveQuoteAsset = defineOperation({
  ...trading,
  id: 'approveQuoteAsset',
  method: 'POST',
  ...onExternalSecurities('/order-books/{orderBookId}/quote-approval'),
  scope: 'trading:write',
  summary: 'Let the settlement contract take the money of a buyer',
  description: 'The transaction that the buyer signs; `amount` replaces the allowance. Nothing has to be confirmed.',
  params: BookPath,
  fieldCodes: bookIdCode,
  body: Body({ amount: ChainAmountIn }),
  legs: {
    build: {
      data: Data({
        action: Type.Literal('SIGN_TRANSACTION'),
        transaction: UnsignedTransaction,
        functionName: Type.Literal('approve'),
        description: Type.String(),
      }),
      errors: {
        ...validationErrors,
        ...bookPathErrors,
        ORDER_BOOK_INACTIVE: { status: 400, message: 'This book is paused or closed.' },
      },
    },
  },
})

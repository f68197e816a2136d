import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, validationErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { builtA, IntegerString, pageQuery, signerBlock, UnixSeconds, verifiedBy } from './lending.schemas.ts'
import {
  liquidatableErrors,
  liquidateBuildErrors,
  liquidateConfirmErrors,
  routerStatsErrors,
} from './liquidations.errors.ts'
import {
  AtomicSale,
  Forecast,
  Path,
  PendingLiquidation,
  Readiness,
  readinessFields,
  SettledLiquidation,
  seizureReserve,
  seizureSurplus,
  triggers,
} from './liquidations.schemas.ts'
import { CountedId, LoanPreview, LoanTerm, SignedPrice } from './positions.schemas.ts'

const optional = Type.Optional
const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const LoanPath = Type.Object({
  ...MarketPath.properties,
  loanId: Type.String({ pattern: '^0*[1-9][0-9]{0,19}$', maxLength: 40 }),
})

const seizure = {
  signedPrice: optional(SignedPrice),
  signerAddress: optional(Type.String({ description: 'Who will sign; one that is no address is ignored.' })),
} as const

export const liquidateLoan = defineOperation({
  ...lendingPath('/liquidations/{marketId}/liquidate/{loanId}', 'v1'),
  id: 'liquidateLoan',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Liquidate a loan',
  description:
    'Builds the seizure of a loan that is unhealthy or past its term, with a forecast of what it takes. With `txHash`: confirms it.',
  params: LoanPath,
  fieldCodes: { ...marketIdCode, loanId: 'INVALID_LOAN_ID' },
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(seizure),
      data: Data({
        loanId: CountedId,
        ...builtA,
        ...signerBlock,
        gasLimit: IntegerString,
        forecast: Forecast,
        preview: LoanPreview,
        readiness: Readiness,
        confirmWith: Data({ endpoint: Type.String(), field: Type.Literal('txHash') }),
      }),
      errors: liquidateBuildErrors,
    },
    confirm: {
      body: withHash(seizure),
      data: Data({
        loanId: CountedId,
        liquidationId: Nullable(
          Type.String({
            description:
              'The number on the router; `venue-{marketLiquidationId}` while only the venue holds it; null: no collateral.',
          }),
        ),
        marketLiquidationId: CountedId,
        auctionId: Nullable(CountedId),
        txHash: Type.String(),
        ...verifiedBy,
        collateralSeized: DecimalString,
        debtRepaid: DecimalString,
        borrower: LowercaseAddress,
        termRealization: Type.Boolean(),
        status: OneOf(['PENDING', 'SETTLED']),
        realization: Nullable(Path),
        buyer: Nullable(LowercaseAddress),
        proceeds: Nullable(DecimalString),
        usdcProceeds: Nullable(DecimalString),
        surplus: Nullable(seizureSurplus),
        reserve: Nullable(seizureReserve),
        writtenOffAtSeizure: DecimalString,
        sale: optional(AtomicSale),
        settledTxHash: optional(Type.String()),
        settledAt: optional(Instant),
      }),
      errors: liquidateConfirmErrors,
    },
  },
})

const loanOf = { loanId: CountedId, borrower: LowercaseAddress } as const

export const listLiquidatableLoans = defineOperation({
  ...lendingPath('/liquidations/{marketId}/liquidatable-loans', 'v1'),
  id: 'listLiquidatableLoans',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List liquidatable loans',
  description:
    'Every open loan that can be realized now, those that have a maturity, and those whose collateral is in an auction; all of one block.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        totalActiveLoans: Type.Integer(),
        price: DecimalString,
        priceStale: Type.Boolean({
          description: 'True: a liquidation has to bring a signed price, or the oracle a new one.',
        }),
        liquidatableLoans: Type.Array(
          Data({
            ...loanOf,
            collateralAmount: DecimalString,
            principal: DecimalString,
            accruedInterest: DecimalString,
            healthFactor: Nullable(DecimalString),
            trigger: OneOf(triggers),
            term: Nullable(LoanTerm),
          }),
        ),
        termedLoans: Type.Array(
          Data({
            ...loanOf,
            dueAt: UnixSeconds,
            effectiveDueAt: UnixSeconds,
            graceEnd: UnixSeconds,
            enforceable: Type.Boolean(),
          }),
        ),
        auctionedLoans: Type.Array(
          Data({
            ...loanOf,
            auctionId: Nullable(CountedId),
            endTime: Nullable(UnixSeconds),
            expired: Nullable(Type.Boolean()),
            collateralRemaining: Nullable(DecimalString),
            debtRemaining: Nullable(DecimalString),
            healthFactor: Nullable(DecimalString),
            reason: Type.String(),
          }),
        ),
      }),
      errors: liquidatableErrors,
    },
  },
})

const liveFields = {
  liquidationRouterAddress: LowercaseAddress,
  readFailed: Type.Boolean({ description: 'True: the chain could not be read, and what only it tells is null.' }),
  unrecorded: Nullable(
    Type.Integer({ description: 'Seizures on chain that our record has not taken down yet; null: unread.' }),
  ),
} as const

export const listPendingLiquidations = defineOperation({
  ...lendingPath('/liquidations/{marketId}/pending-liquidations', 'v1'),
  id: 'listPendingLiquidations',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List pending liquidations',
  description: 'Seizures that are not settled, newest first, at most 100, each with its state on chain.',
  ...ofMarket,
  legs: {
    read: {
      data: Data({
        totalCount: Type.Integer(),
        ...liveFields,
        pendingLiquidations: Type.Array(PendingLiquidation),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const listSettledLiquidations = defineOperation({
  ...lendingPath('/liquidations/{marketId}/settled-liquidations', 'v1'),
  id: 'listSettledLiquidations',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List settled liquidations',
  description:
    'Seizures that are settled or written off, newest first: 50, or `limit`, at most 200. `cursor` goes on where a page ended.',
  ...ofMarket,
  query: Type.Object(pageQuery),
  legs: {
    read: {
      data: Data({
        totalCount: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
        hasMore: Type.Boolean(),
        nextCursor: Nullable(Type.String()),
        ...liveFields,
        settledLiquidations: Type.Array(SettledLiquidation),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors },
    },
  },
})

const Totals = Data({
  totalLiquidations: Type.Integer(),
  pendingLiquidationDebt: DecimalString,
  totalAuctions: Type.Integer({ description: 'Of all venues that the market has had, as far as our record has come.' }),
})

export const getLiquidationConfig = defineOperation({
  ...lendingPath('/liquidations/{marketId}/config', 'v1'),
  id: 'getLiquidationConfig',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the liquidation config',
  description:
    'Whether a seizure and the sale after it can work. When chain reads failed, `onChainError` says so and the readiness fields are absent.',
  ...ofMarket,
  query: Type.Object({
    signerAddress: optional(
      Type.String({ description: 'Whose liquidator role is judged; default: the wallets of your instance.' }),
    ),
  }),
  legs: {
    read: {
      data: Data({
        marketId: Type.String(),
        marketAddress: LowercaseAddress,
        liquidationRouterAddress: LowercaseAddress,
        ...Type.Partial(Data(readinessFields)).properties,
        stats: Totals,
        onChainError: optional(Type.String()),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const getLiquidationStats = defineOperation({
  ...lendingPath('/liquidations/{marketId}/liquidation-stats', 'v1'),
  id: 'getLiquidationStats',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get liquidation stats',
  description: 'Seizures of the market, as the chain counts them and as our record does.',
  ...ofMarket,
  legs: {
    read: {
      data: Data({
        onChain: Nullable(Totals),
        readFailed: Type.Boolean(),
        unrecorded: liveFields.unrecorded,
        database: Data({
          pending: Type.Integer(),
          settled: Type.Integer(),
          writtenOff: Type.Integer(),
          stuck: Nullable(
            Type.Integer({ description: 'Open for more than seven days, so that the admin may write them off.' }),
          ),
        }),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const getRouterStats = defineOperation({
  ...lendingPath('/liquidations/router-stats', 'v1'),
  id: 'getRouterStats',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get router stats',
  description: 'What the router of a market took in, sold and paid on. Auction cash never passes it.',
  query: Type.Object({ marketId: optional(Type.String({ maxLength: 100, description: 'Required.' })) }),
  fieldCodes: { marketId: 'MARKET_REQUIRED' },
  unreadable: 'STATS_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        routerAddress: LowercaseAddress,
        totalReceived: IntegerString,
        totalSettled: IntegerString,
        totalCollateralProcessed: DecimalString,
        totalCollateralProcessedRaw: IntegerString,
        totalProceedsRouted: DecimalString,
        totalProceedsRoutedRaw: IntegerString,
      }),
      errors: routerStatsErrors,
    },
  },
})

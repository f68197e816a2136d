import { Type } from 'typebox'
import { DecimalFor, DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { MarketTransaction } from './figures.schemas.ts'
import { Data } from './lending.operation.ts'
import { AssetRef, collateralModes, IntegerString, UnixSeconds } from './lending.schemas.ts'
import { CountedId, LoanTerm, loanFields } from './positions.schemas.ts'

const flag = Nullable(Type.Boolean({ description: 'null: the token does not say.' }))

/** What the collateral token says about the holder of a pledge. Nobody vouches for it, so all of it may be unknown. */
export const PledgeCompliance = Data({
  mode: OneOf(collateralModes),
  holder: LowercaseAddress,
  restricted: Nullable(
    Type.Boolean({ description: 'A rule of the token stands against the holder. null: unknown, ask again or try.' }),
  ),
  code: Nullable(
    OneOf(['TOKEN_PAUSED', 'HOLDER_FROZEN', 'ADAPTER_FROZEN', 'HOLDER_NOT_VERIFIED', 'COMPLIANCE_REFUSED', 'UNKNOWN']),
  ),
  reason: Nullable(Type.String()),
  collateralReturnable: Nullable(
    Type.Boolean({ description: 'Frozen collateral always is: it never left the wallet of its holder.' }),
  ),
  willEscrowOnRelease: Nullable(
    Type.Boolean({ description: 'What is released now would wait in the adapter until the holder may have it.' }),
  ),
  escrowedCollateral: DecimalString,
  escrowedCollateralRaw: IntegerString,
  holderVerified: flag,
  holderAddressFrozen: flag,
  tokenPaused: flag,
  checkedAt: Instant,
})

const collateralIntact = Type.Boolean({
  description: 'False: the watch found less frozen, or in custody, than is pledged.',
})

/** A loan as the chain has it, and whether its pledge is still backed. */
export const LoanState = Data({ ...loanFields, collateralIntact })

export const positionStatuses = ['ACTIVE', 'REPAID', 'LIQUIDATED'] as const

const PositionTransaction = Data({
  ...MarketTransaction.properties,
  positionId: Type.String(),
})

/** What our record and the chain say of a position, in lists and alone. */
const positionFields = {
  onChainLoanId: CountedId,
  userAddress: LowercaseAddress,
  payeeAddress: Nullable(LowercaseAddress),
  collateralAmount: DecimalFor('Pledged now: 0 once it is closed.'),
  borrowedAmount: DecimalFor('Principal owed now: 0 once it is closed.'),
  healthFactor: Nullable(DecimalString),
  liquidationThresholdBps: Nullable(
    Type.Integer({ description: 'As agreed at the opening or last draw, or a higher one of today. null: closed.' }),
  ),
  liquidationPenaltyBps: Nullable(
    Type.Integer({ description: 'As agreed at the opening or last draw, or a lower one of today. null: closed.' }),
  ),
  priceAtBorrow: Nullable(
    DecimalFor('The price that the opening was measured by. null: the record of prices begins later.'),
  ),
  dueAt: Nullable(UnixSeconds),
  term: Nullable(LoanTerm),
  fixedRateBps: Nullable(Type.Integer()),
  totalBorrowed: DecimalFor('All draws together.'),
  totalRepaid: DecimalFor('Principal and interest, without fees.'),
  status: OneOf(positionStatuses, {
    description: 'Told by events, never guessed. LIQUIDATED: closed, and nobody paid anything after the last seizure.',
  }),
  liquidated: Type.Boolean({ description: 'Seized at least once, open or closed.' }),
  liquidatedAt: Nullable(Instant),
  openedAt: Instant,
  closedAt: Nullable(Instant),
  lastUpdated: Instant,
  inAuction: Type.Boolean(),
  collateralIntact,
} as const

export const PositionRow = Data({
  id: Type.String(),
  marketId: Type.String(),
  ...positionFields,
  interestAccrued: DecimalString,
  transactions: Type.Array(PositionTransaction, { description: 'The newest five lines.' }),
})

const RealizationLoss = Data({
  records: Type.Integer({ description: 'Seizures.' }),
  pending: Type.Integer({ description: 'Seizures whose sale is not settled yet.' }),
  complete: Type.Boolean({ description: 'Nothing is pending.' }),
  writtenOffAtSeizure: DecimalString,
  seizureReserveCovered: DecimalString,
  settlementShortfall: DecimalFor('Of the claims, what neither sale nor fund has paid; late cash taken off.'),
  settlementReserveCovered: DecimalString,
  poolLoss: DecimalFor("What the pool bears of this loan now, by the market's own books."),
  asset: AssetRef,
})

export const Position = Data({
  positionId: Type.String(),
  marketId: Type.String(),
  ...positionFields,
  accumulatedInterest: DecimalString,
  currentPrice: DecimalString,
  collateralValue: DecimalString,
  collateralValueAtBorrow: Nullable(DecimalString),
  compliance: PledgeCompliance,
  surplus: Data({
    returned: DecimalFor('What sales left over and the borrower got.'),
    escrowed: DecimalFor('What sales of this loan left over and the borrow asset refused to transfer, claimed or not.'),
    claimable: DecimalFor('What the borrower can claim now, of all loans of the market together.'),
  }),
  realizationLoss: Nullable(RealizationLoss),
  transactions: Type.Array(PositionTransaction, { description: 'The newest first, at most 1,000.' }),
})

import { Type } from 'typebox'
import { MEMBER_NAME } from '../operation.ts'
import { DecimalString, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { Data } from './lending.operation.ts'
import { AssetRef, Bps, builtA, ConfirmWith, IntegerString, verifiedBy } from './lending.schemas.ts'
import { Generation } from './upgrades.schemas.ts'

const Amount = Data({ raw: IntegerString, value: DecimalString })

/* THE SPLIT */

const FeeLeg = Data({
  key: OneOf(['INFRASTRUCTURE', 'OPERATOR', 'DISTRIBUTOR', 'INSURANCE_FUND', 'LIQUIDITY_PROVIDERS'] as const),
  recipient: Nullable(LowercaseAddress),
  rateE18: Nullable(IntegerString),
  rateBps: Nullable(Bps),
  ofBase: OneOf(['REPAID_INTEREST', 'AFTER_INFRASTRUCTURE', 'AFTER_SHARES', 'REMAINDER'] as const),
  effectiveBps: Nullable(Type.String({ description: 'Of the interest, exact; the five add up to 10000.' })),
  perHundred: Nullable(Type.String({ description: 'Of 100 of interest, exact.' })),
})

export const FeeSplit = Data({
  readFailed: Type.Boolean({ description: 'True: the market did not answer, and what depends on it is null.' }),
  marketAddress: LowercaseAddress,
  generation: Nullable(Generation),
  fixedShares: Nullable(
    Type.Boolean({ description: 'False: the operator share was offered, and there are no distributors.' }),
  ),
  basis: Type.Literal('REPAID_INTEREST'),
  legs: Type.Array(FeeLeg),
  operatorWallet: Nullable(LowercaseAddress),
  seekingCurator: Nullable(Type.Boolean()),
  distributorRecipients: Nullable(OneOf(['VAULT_DISTRIBUTORS', 'NONE'] as const)),
  transactionFees: Nullable(
    Data({
      openFeeRaw: IntegerString,
      repayFeeRaw: IntegerString,
      openFee: DecimalString,
      repayFee: DecimalString,
      capBps: Type.Literal(50),
      enabled: Type.Boolean(),
      shares: Data({
        operatorBps: Type.Literal(800),
        distributorBps: Type.Literal(500),
        infrastructureBps: Type.Literal(8700),
      }),
    }),
  ),
  asset: AssetRef,
})

/* CASH FLOWS */

/** Sweeps pay what all loans earned together: of one loan nobody can say what was paid. */
const settled = {
  paid: Nullable(Amount),
  pending: Nullable(Amount),
} as const

const Reconciled = Data({
  outstandingRaw: IntegerString,
  balanced: Type.Boolean({ description: 'Accrued less paid is, to the unit, what the market says it owes.' }),
})

/** A leg is a row; what it has not is empty. */
export const cashflowColumns = {
  leg: MEMBER_NAME,
  recipient: 'recipient',
  fromInterest: 'fromInterest.value',
  fromTransactionFees: 'fromTransactionFees.value',
  fromUnallocatedDistributorLeg: 'fromUnallocatedDistributorLeg.value',
  fromRepaidAdvances: 'fromRepaidAdvances.value',
  accrued: 'accrued.value',
  paid: 'paid.value',
  paidToVaults: 'paidToVaults.value',
  paidToOperatorWallet: 'paidToOperatorWallet.value',
  pending: 'pending.value',
  creditedFromSplits: 'creditedFromSplits.value',
  interestRepaid: 'interestRepaid.value',
  interestRecovered: 'interestRecovered.value',
} as const

export const Cashflows = Data({
  marketAddress: LowercaseAddress,
  asset: AssetRef,
  split: Data({ infrastructureBps: Bps, operatorBps: Bps, distributorBps: Bps, insuranceBps: Bps }),
  legs: Data({
    infrastructure: Data({
      recipient: LowercaseAddress,
      fromInterest: Amount,
      fromTransactionFees: Amount,
      accrued: Amount,
      ...settled,
    }),
    operator: Data({
      recipient: Nullable(LowercaseAddress),
      fromInterest: Amount,
      fromTransactionFees: Amount,
      fromUnallocatedDistributorLeg: Amount,
      accrued: Amount,
      ...settled,
    }),
    distributors: Data({
      fromInterest: Amount,
      fromTransactionFees: Amount,
      accrued: Amount,
      paidToVaults: Nullable(Amount),
      paidToOperatorWallet: Nullable(Amount),
      ...settled,
    }),
    insuranceFund: Data({
      recipient: Nullable(LowercaseAddress),
      fromInterest: Amount,
      fromRepaidAdvances: Amount,
      accrued: Amount,
      ...settled,
    }),
    liquidityProviders: Data({
      creditedFromSplits: Amount,
      interestRepaid: Amount,
      interestRecovered: Amount,
      unitemisedSplits: Type.Integer({
        description: 'Splits whose cause the events do not tell. None, unless the history has a hole.',
      }),
    }),
  }),
  totals: Data({
    interestCollected: Amount,
    transactionFees: Amount,
    openFees: Amount,
    repayFees: Amount,
    realizationSplits: Type.Integer(),
  }),
  reconciliation: Nullable(
    Data({
      infrastructure: Reconciled,
      operator: Reconciled,
      distributors: Reconciled,
      insuranceFund: Reconciled,
    }),
  ),
  loan: Nullable(
    Data({
      loanId: IntegerString,
      status: OneOf(['ACTIVE', 'IN_AUCTION', 'CLOSED'] as const),
      interestRepaid: Amount,
      interestRecovered: Amount,
      balanced: Nullable(
        Type.Boolean({
          description:
            'The legs are, to the unit, the interest that the chain says was collected. null: it keeps no such figure, because cash of a liquidation paid down the rest of the loan.',
        }),
      ),
    }),
  ),
  history: Data({
    source: Type.Literal('MARKET_EVENTS'),
    complete: Type.Boolean({ description: 'Nothing was mined since that the record has not seen.' }),
    syncedBlock: IntegerString,
    latestBlock: IntegerString,
    balancesAtBlock: IntegerString,
    deployedInBlock: IntegerString,
    events: Type.Integer(),
    pendingFinality: Type.Integer({ description: 'Events that a reorganization could still take away.' }),
    note: Type.String(),
  }),
})

/* SWEEPS */

const amounts = { amount: DecimalString, amountRaw: IntegerString } as const

const built = {
  ...builtA,
  description: Type.String(),
  permissionless: Type.Boolean({ description: 'Any wallet may sign.' }),
  requiredRole: Type.Null(),
  requiredSigner: Nullable(LowercaseAddress),
  note: Type.String(),
  ...amounts,
  asset: AssetRef,
  confirmWith: ConfirmWith,
} as const

const confirmed = {
  txHash: Type.String(),
  ...verifiedBy,
  signedBy: LowercaseAddress,
  ...amounts,
  at: Nullable(Instant),
} as const

const destination = Nullable(LowercaseAddress)

export const InfrastructureSweepBuilt = Data({ ...built, destination })
export const InfrastructureSwept = Data({
  kind: Type.Literal('infrastructure'),
  ...confirmed,
  destination: LowercaseAddress,
  asset: AssetRef,
})
export const ProtocolSweepBuilt = Data({ ...built, destination })
export const ProtocolSwept = Data({
  kind: Type.Literal('protocol'),
  ...confirmed,
  destination: LowercaseAddress,
  asset: AssetRef,
})
export const OperatorSweepBuilt = Data({ ...built, recipient: LowercaseAddress })
export const OperatorSwept = Data({ ...confirmed, recipient: LowercaseAddress, asset: AssetRef })
export const DistributorSweepBuilt = Data({ ...built, provider: LowercaseAddress, recipient: LowercaseAddress })
export const DistributorSwept = Data({ ...confirmed, provider: LowercaseAddress, recipient: LowercaseAddress })

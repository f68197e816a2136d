import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  insuranceStatusErrors,
  recordTopUpErrors,
  topUpErrors,
  withdrawBuildErrors,
  withdrawConfirmErrors,
} from './insurance.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { AssetRef, ConfirmWith, IntegerString, Simulation, Step, signerBlock, verifiedBy } from './lending.schemas.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const amountText = Type.String({ description: 'Decimal, in whole units of the borrow asset.' })
const amounts = { amount: DecimalString, amountRaw: IntegerString } as const

export const getInsuranceStatus = defineOperation({
  ...lendingPath('/markets/{marketId}/insurance/status'),
  id: 'getInsuranceStatus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the insurance status',
  description: 'What the insurance fund of the market holds, took in and paid, and what the market lost.',
  ...ofMarket,
  unreadable: 'FUND_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        configured: Type.Literal(true),
        fundAddress: LowercaseAddress,
        asset: AssetRef,
        owner: LowercaseAddress,
        pendingOwner: Nullable(LowercaseAddress),
        ownedByMarket: Type.Boolean({ description: 'True until a lender of record adopts the market.' }),
        marketAuthorized: Type.Boolean({ description: 'False: the fund pays no losses of this market.' }),
        stats: Data({
          totalDeposits: DecimalString,
          badDebtCovered: DecimalString,
          totalWithdrawn: DecimalString,
          currentBalance: DecimalString,
          unbookedBalance: DecimalString,
        }),
        generation: Data({ version: Nullable(IntegerString), topUpBooked: Type.Boolean() }),
        earmarkedProtocolFees: DecimalString,
        earmarkedProtocolFeesRaw: IntegerString,
        earmarkedProtocolFeesSweepable: Type.Boolean(),
        marketBadDebt: Data({
          drawsIndexed: Type.Integer(),
          requested: DecimalString,
          covered: DecimalString,
          uncovered: DecimalString,
          settledOnPool: DecimalString,
          writtenOff: DecimalString,
          recoveredLate: DecimalString,
          borneByProviders: DecimalString,
          totalLosses: DecimalString,
        }),
        disclosure: Data({
          draws: Type.String(),
          repayment: Type.String(),
          topUp: Type.String(),
          withdrawal: Type.String(),
        }),
        fundImplementation: Data({
          current: Nullable(LowercaseAddress),
          target: Nullable(LowercaseAddress),
          upgradeAvailable: Nullable(Type.Boolean()),
        }),
        recentTopUps: Type.Array(
          Data({
            from: LowercaseAddress,
            ...amounts,
            txHash: Type.String(),
            at: Instant,
            finality: OneOf(['MINED', 'SAFE', 'FINALIZED'] as const),
            booked: Type.Literal(true),
            recordedByThisInstance: Type.Boolean(),
          }),
          { description: 'The newest 20.' },
        ),
      }),
      errors: insuranceStatusErrors,
    },
  },
})

export const topUpInsurance = defineOperation({
  ...lendingPath('/markets/{marketId}/insurance/top-up'),
  id: 'topUpInsurance',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Top up the insurance fund',
  description:
    'Builds the two transactions that add to the reserve: an approval, then the top-up. Any wallet may sign.',
  ...ofMarket,
  body: Body({ amount: amountText, fromAddress: Address }),
  unreadable: 'FUND_STATE_UNAVAILABLE',
  legs: {
    build: {
      data: Data({
        action: Type.Literal('SIGN_TRANSACTIONS'),
        steps: Type.Array(Step),
        functionName: Type.Literal('topUp'),
        confirmStepIndex: Type.Literal(1),
        simulation: Simulation,
        fundAddress: LowercaseAddress,
        fromAddress: LowercaseAddress,
        ...amounts,
        asset: AssetRef,
        booked: Type.Literal(true),
        note: Type.String(),
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ txHash: Type.Null(), amount: DecimalString, fromAddress: LowercaseAddress }),
        }),
      }),
      errors: topUpErrors,
    },
  },
})

export const recordTopUp = defineOperation({
  ...lendingPath('/markets/{marketId}/insurance/record-topup'),
  id: 'recordTopUp',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Record a top-up',
  description: 'Confirms that a transaction topped the fund up. The events of the fund count, not what was called.',
  ...ofMarket,
  body: Body({ txHash: Hash, amount: amountText, fromAddress: Address }),
  legs: {
    confirm: {
      data: Data({
        recorded: Type.Literal(true),
        duplicate: Type.Boolean({ description: 'Your instance had recorded it before.' }),
        booked: Type.Literal(true),
        txHash: Type.String(),
        ...verifiedBy,
        fundAddress: LowercaseAddress,
        fromAddress: LowercaseAddress,
        ...amounts,
        at: Instant,
        note: Type.String(),
      }),
      errors: recordTopUpErrors,
    },
  },
})

const withdrawal = { amount: amountText, recipient: Address } as const

export const withdrawInsurance = defineOperation({
  ...lendingPath('/markets/{marketId}/insurance/withdraw-calldata'),
  id: 'withdrawInsurance',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Withdraw from the insurance fund',
  description:
    'Builds the emergency withdrawal that only the owner of the fund can sign. With `txHash`: confirms it; `amount` and `recipient` are then cross-checks.',
  ...ofMarket,
  unreadable: 'FUND_STATE_UNAVAILABLE',
  legs: {
    build: {
      body: Body(withdrawal),
      data: Data({
        calldata: Step,
        functionName: Type.Literal('emergencyWithdraw'),
        simulation: Simulation,
        ...signerBlock,
        fundOwner: LowercaseAddress,
        fundAddress: LowercaseAddress,
        currentBalance: DecimalString,
        recipient: LowercaseAddress,
        ...amounts,
        asset: AssetRef,
        confirmWith: ConfirmWith,
      }),
      errors: withdrawBuildErrors,
    },
    confirm: {
      body: Body({ amount: Type.Optional(amountText), recipient: Type.Optional(Address), txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        ...verifiedBy,
        signedBy: LowercaseAddress,
        fundAddress: LowercaseAddress,
        recipient: LowercaseAddress,
        ...amounts,
        asset: AssetRef,
        at: Instant,
      }),
      errors: withdrawConfirmErrors,
    },
  },
})

import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash } from '../primitives.ts'
import {
  cashflowErrors,
  distributorSweepErrors,
  feeReadErrors,
  infrastructureSweepErrors,
  operatorSweepErrors,
  protocolSweepErrors,
  sweepConfirmErrors,
} from './fees.errors.ts'
import {
  Cashflows,
  cashflowColumns,
  DistributorSweepBuilt,
  DistributorSwept,
  FeeSplit,
  InfrastructureSweepBuilt,
  InfrastructureSwept,
  OperatorSweepBuilt,
  OperatorSwept,
  ProtocolSweepBuilt,
  ProtocolSwept,
} from './fees.schemas.ts'
import { Body, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const nothing = Body({})
const hashAlone = Body({ txHash: Hash })
const provider = Type.Optional(Address)

export const getFeeSplit = defineOperation({
  ...lendingPath('/markets/{marketId}/fee-split'),
  id: 'getFeeSplit',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the fee split',
  description: 'Who gets which part of repaid interest and of flat fees, and where it is paid to.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: { read: { data: FeeSplit, errors: feeReadErrors } },
})

export const getCashflows = defineOperation({
  ...lendingPath('/markets/{marketId}/cashflows'),
  id: 'getCashflows',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get cash flows',
  description:
    'What interest and fees brought and where it went, summed from the events of the market and held against its own books at the same block. `loanId` shows one loan.',
  ...ofMarket,
  query: Type.Object({ loanId: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,17}$' })) }),
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  csv: { rows: 'legs', columns: cashflowColumns },
  legs: { read: { data: Cashflows, errors: cashflowErrors } },
})

export const sweepInfrastructureFees = defineOperation({
  ...lendingPath('/markets/{marketId}/infrastructure-fees/sweep'),
  id: 'sweepInfrastructureFees',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Sweep infrastructure fees',
  description:
    'Pays the booked infrastructure fees to the wallet that is a constant of the market. Any wallet may sign. With `txHash`: confirms it.',
  ...ofMarket,
  unreadable: 'MARKET_FEES_UNAVAILABLE',
  legs: {
    build: { body: nothing, data: InfrastructureSweepBuilt, errors: infrastructureSweepErrors },
    confirm: { body: hashAlone, data: InfrastructureSwept, errors: sweepConfirmErrors },
  },
})

export const sweepOperatorFees = defineOperation({
  ...lendingPath('/markets/{marketId}/operator-fees/sweep'),
  id: 'sweepOperatorFees',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Sweep operator fees',
  description:
    'Pays the booked operator fees to whoever is the operator wallet when it is mined. Any wallet may sign. With `txHash`: confirms it.',
  ...ofMarket,
  unreadable: 'OPERATOR_FEES_UNAVAILABLE',
  legs: {
    build: { body: nothing, data: OperatorSweepBuilt, errors: operatorSweepErrors },
    confirm: { body: hashAlone, data: OperatorSwept, errors: sweepConfirmErrors },
  },
})

export const sweepProtocolFees = defineOperation({
  ...lendingPath('/markets/{marketId}/protocol-fees/sweep'),
  id: 'sweepProtocolFees',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Sweep protocol fees',
  description:
    "Pays what is booked for insurance into the market's fund, which has to list the market. Any wallet may sign. With `txHash`: confirms it.",
  ...ofMarket,
  unreadable: 'MARKET_FEES_UNAVAILABLE',
  legs: {
    build: { body: nothing, data: ProtocolSweepBuilt, errors: protocolSweepErrors },
    confirm: { body: hashAlone, data: ProtocolSwept, errors: sweepConfirmErrors },
  },
})

export const sweepDistributorFees = defineOperation({
  ...lendingPath('/markets/{marketId}/distributor-fees/sweep'),
  id: 'sweepDistributorFees',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Sweep distributor fees',
  description:
    'Pays a provider its distributor fees; without `provider` the operator wallet. A provider that is a contract has to sign itself. With `txHash`: confirms it.',
  ...ofMarket,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    build: { body: Body({ provider }), data: DistributorSweepBuilt, errors: distributorSweepErrors },
    confirm: { body: Body({ provider, txHash: Hash }), data: DistributorSwept, errors: sweepConfirmErrors },
  },
})

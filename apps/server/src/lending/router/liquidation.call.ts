import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

/** Which liquidation of a router is meant. */
export interface ExpectedLiquidation {
  readonly id: bigint
}

const ofRouter = <A extends ExpectedLiquidation>(
  functionName: string,
  eventName: string,
  args: (args: A) => readonly unknown[],
) =>
  contractCall<A, ExpectedLiquidation>({
    kind: 'router',
    abi: abis.router,
    functionName,
    eventName,
    args,
    isCallFor: ([first], { id }) => first === id,
    isFor: ({ liquidationId }, { id }) => liquidationId === id.toString(),
  })

export const withdrawForSaleCall = ofRouter<{ id: bigint; amount: bigint }>(
  'withdrawCollateralForSale',
  'CollateralWithdrawnForSale',
  ({ id, amount }) => [id, amount],
)

export const reportPartialSaleCall = ofRouter<{ id: bigint; collateralSold: bigint; proceeds: bigint }>(
  'reportPartialSale',
  'PartialSaleReported',
  ({ id, collateralSold, proceeds }) => [id, collateralSold, proceeds],
)

export const settleCall = ofRouter<{ id: bigint; finalProceeds: bigint }>(
  'settleLiquidation',
  'LiquidationSettled',
  ({ id, finalProceeds }) => [id, finalProceeds],
)

export const sellPendingCall = ofRouter<{ id: bigint }>('sellPending', 'AtomicSaleExecuted', ({ id }) => [id])
export const closeCall = ofRouter<{ id: bigint }>('writeOffLiquidation', 'LiquidationClosed', ({ id }) => [id])
export const reopenCall = ofRouter<{ id: bigint }>('reopenLiquidation', 'LiquidationReopened', ({ id }) => [id])

/** Which record of a market is meant. */
export interface ExpectedRealization {
  readonly realizationId: bigint
}

const ofMarket = (functionName: string, eventName: string) =>
  contractCall<ExpectedRealization, ExpectedRealization>({
    kind: 'market',
    abi: abis.market,
    functionName,
    eventName,
    args: ({ realizationId }) => [realizationId],
    isCallFor: ([first], { realizationId }) => first === realizationId,
    isFor: (effect, { realizationId }) => effect.realizationId === realizationId.toString(),
  })

export const timeoutCall = ofMarket('handleLiquidationTimeout', 'RealizationWrittenOff')
export const countersignCall = ofMarket('countersignSale', 'SaleCountersigned')

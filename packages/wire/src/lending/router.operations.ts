import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash } from '../primitives.ts'
import { Body, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import {
  announceBuildErrors,
  atomicModeBuildErrors,
  atomicModeConfirmErrors,
  atomicSaleReadErrors,
  closeBuildErrors,
  closeConfirmErrors,
  countersignBuildErrors,
  countersignConfirmErrors,
  partialSaleBuildErrors,
  partialSaleConfirmErrors,
  reopenBuildErrors,
  reopenConfirmErrors,
  rotateBuildErrors,
  saleBidBuildErrors,
  saleBidConfirmErrors,
  saleRecipientConfirmErrors,
  sellBuildErrors,
  sellConfirmErrors,
  settleBuildErrors,
  settleConfirmErrors,
  timeoutBuildErrors,
  timeoutConfirmErrors,
  withdrawForSaleBuildErrors,
  withdrawForSaleConfirmErrors,
} from './router.errors.ts'
import {
  AnnouncementBuilt,
  AnnouncementConfirmed,
  AtomicModeBuilt,
  AtomicModeConfirmed,
  AtomicSale,
  CloseBuilt,
  CloseConfirmed,
  CountersignBuilt,
  CountersignConfirmed,
  PartialSaleBuilt,
  PartialSaleConfirmed,
  ReopenBuilt,
  ReopenConfirmed,
  RotationBuilt,
  RotationConfirmed,
  SaleBidBuilt,
  SaleBidConfirmed,
  SellBuilt,
  SellConfirmed,
  SettlementBuilt,
  SettlementConfirmed,
  TimeoutBuilt,
  TimeoutConfirmed,
  WithdrawalBuilt,
  WithdrawalConfirmed,
} from './router.schemas.ts'

const optional = Type.Optional
const MarketId = Type.String({
  maxLength: 100,
  description: 'Needed when several markets of the instance have a liquidation with this number.',
})
const collateral = Type.String({ description: 'Positive decimal, in whole collateral tokens.' })
const proceeds = Type.String({ description: 'Decimal, in whole units of the borrow asset.' })
const which = { marketId: optional(MarketId) } as const
const withdrawal = { amount: collateral, recipientAddress: optional(Address), ...which } as const
const sale = { collateralSold: collateral, usdcProceeds: proceeds, ...which } as const
const settlement = { usdcProceeds: proceeds, ...which } as const
const bySigner = { signerAddress: optional(Address), ...which } as const

const ofLiquidation = {
  method: 'POST',
  scope: 'lending:write',
  params: Type.Object({
    liquidationId: Type.String({ minLength: 1, maxLength: 100, description: 'Counted by the router from 1.' }),
  }),
  query: Type.Object({ marketId: optional(MarketId) }),
  fieldCodes: { liquidationId: 'MISSING_ID' },
  unreadable: 'ROUTER_UNREADABLE',
} as const

export const withdrawCollateralForSale = defineOperation({
  ...lendingPath('/liquidations/withdraw-collateral/{liquidationId}', 'v1'),
  id: 'withdrawCollateralForSale',
  summary: 'Withdraw collateral for sale',
  description:
    'First step of selling by hand: moves seized collateral from the router to the sale recipient of the market, in as many tranches as wanted. The router operator signs. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(withdrawal), data: WithdrawalBuilt, errors: withdrawForSaleBuildErrors },
    confirm: {
      body: Body({ ...withdrawal, txHash: Hash }),
      data: WithdrawalConfirmed,
      errors: withdrawForSaleConfirmErrors,
    },
  },
})

export const reportPartialSale = defineOperation({
  ...lendingPath('/liquidations/report-partial-sale/{liquidationId}', 'v1'),
  id: 'reportPartialSale',
  summary: 'Report a partial sale',
  description:
    'Brings the cash of a sale to the router, where it waits for the settlement. The router operator approves and signs. With `txHash`: confirms the second step.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(sale), data: PartialSaleBuilt, errors: partialSaleBuildErrors },
    confirm: { body: withHash(sale), data: PartialSaleConfirmed, errors: partialSaleConfirmErrors },
  },
})

export const settleLiquidation = defineOperation({
  ...lendingPath('/liquidations/settle/{liquidationId}', 'v1'),
  id: 'settleLiquidation',
  summary: 'Settle a liquidation',
  description:
    'Brings the last cash, or none, and forwards all of it to the market, which pays pool, fund and borrower. The router operator signs. `preview` shows who would get what. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(settlement), data: SettlementBuilt, errors: settleBuildErrors },
    confirm: { body: withHash(settlement), data: SettlementConfirmed, errors: settleConfirmErrors },
  },
})

export const handleLiquidationTimeout = defineOperation({
  ...lendingPath('/liquidations/handle-timeout/{liquidationId}', 'v1'),
  id: 'handleLiquidationTimeout',
  summary: 'Write a liquidation off',
  description:
    'Closes the record of the market more than seven days after the seizure: the fund is asked for the whole claim, the pool bears the rest. The market admin signs. The record of the router stays as it is. Takes `venue-{n}` too. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(which), data: TimeoutBuilt, errors: timeoutBuildErrors },
    confirm: { body: withHash(which), data: TimeoutConfirmed, errors: timeoutConfirmErrors },
  },
})

export const countersignSale = defineOperation({
  ...lendingPath('/liquidations/countersign/{liquidationId}', 'v1'),
  id: 'countersignSale',
  summary: 'Countersign a sale',
  description:
    'Lets the insurance fund cover a sale below the floor value of the collateral. The market admin signs. Takes `venue-{n}` too. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(which), data: CountersignBuilt, errors: countersignBuildErrors },
    confirm: { body: withHash(which), data: CountersignConfirmed, errors: countersignConfirmErrors },
  },
})

export const closeLiquidation = defineOperation({
  ...lendingPath('/liquidations/close/{liquidationId}', 'v1'),
  id: 'closeLiquidation',
  summary: 'Close a liquidation',
  description:
    'Closes the record of a router that holds neither collateral nor cash, once the market has closed its own. Moves nothing. The router admin signs. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(which), data: CloseBuilt, errors: closeBuildErrors },
    confirm: { body: withHash(which), data: CloseConfirmed, errors: closeConfirmErrors },
  },
})

export const reopenLiquidation = defineOperation({
  ...lendingPath('/liquidations/reopen/{liquidationId}', 'v1'),
  id: 'reopenLiquidation',
  summary: 'Reopen a liquidation',
  description:
    'Opens a record again that was settled with the cash of an auction alone and still holds collateral. The router admin signs. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(which), data: ReopenBuilt, errors: reopenBuildErrors },
    confirm: { body: withHash(which), data: ReopenConfirmed, errors: reopenConfirmErrors },
  },
})

export const sellPending = defineOperation({
  ...lendingPath('/liquidations/liquidation/{liquidationId}/sell', 'v1'),
  id: 'sellPending',
  summary: 'Sell a pending liquidation',
  description:
    'Sells an untouched liquidation to the sale recipient at its standing bid and settles it, in one transaction. The router operator signs. With `txHash`: confirms it.',
  ...ofLiquidation,
  legs: {
    build: { body: Body(bySigner), data: SellBuilt, errors: sellBuildErrors },
    confirm: { body: withHash(bySigner), data: SellConfirmed, errors: sellConfirmErrors },
  },
})

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode, unreadable: 'ROUTER_UNREADABLE' } as const
const write = { method: 'POST', scope: 'lending:write' } as const
const newMode = {
  mode: Type.Integer({ minimum: 0, maximum: 1, description: 'Required to build.' }),
  signerAddress: optional(Address),
} as const
const newBid = {
  priceFactorBps: Type.Integer({ description: '0, or 9500 to 20000. Required to build.' }),
  validUntil: optional(Type.Integer({ description: 'Unix seconds of chain time. Required for a bid.' })),
  allowance: optional(Type.String({ description: 'What the router may take in all, in whole units.' })),
  signerAddress: optional(Address),
} as const
const newRecipient = { recipientAddress: Address } as const

export const getAtomicSale = defineOperation({
  ...lendingPath('/liquidations/{marketId}/atomic-sale', 'v1'),
  id: 'getAtomicSale',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the terms of sales in one step',
  description: 'Whether the market sells liquidations at once, to whom, at which bid, and what stands in the way.',
  ...ofMarket,
  query: Type.Object({ signerAddress: optional(Address) }),
  legs: { read: { data: AtomicSale, errors: atomicSaleReadErrors } },
})

export const setAtomicMode = defineOperation({
  ...lendingPath('/liquidations/{marketId}/atomic-mode', 'v1'),
  id: 'setAtomicMode',
  ...write,
  summary: 'Switch sales in one step',
  description:
    'Mode 1 sells a liquidation in the transaction that seizes it; mode 0 leaves it to the operator. The router admin signs. With `txHash`: confirms it.',
  ...ofMarket,
  legs: {
    build: { body: Body(newMode), data: AtomicModeBuilt, errors: atomicModeBuildErrors },
    confirm: { body: withHash(newMode), data: AtomicModeConfirmed, errors: atomicModeConfirmErrors },
  },
})

export const setSaleBid = defineOperation({
  ...lendingPath('/liquidations/{marketId}/sale-bid', 'v1'),
  id: 'setSaleBid',
  ...write,
  summary: 'Set the standing bid',
  description:
    'The sale recipient offers a part of the oracle price for whatever is liquidated until a time; 0 withdraws the offer. `allowance` adds the approval that the router needs. With `txHash`: confirms the last step.',
  ...ofMarket,
  legs: {
    build: { body: Body(newBid), data: SaleBidBuilt, errors: saleBidBuildErrors },
    confirm: { body: withHash(newBid), data: SaleBidConfirmed, errors: saleBidConfirmErrors },
  },
})

export const announceSaleRecipient = defineOperation({
  ...lendingPath('/liquidations/{marketId}/sale-recipient', 'v1'),
  id: 'announceSaleRecipient',
  ...write,
  summary: 'Announce another sale recipient',
  description:
    'Who is announced can take over an hour later. The router admin signs. With `txHash`: confirms it; `recipientAddress` is then ignored.',
  ...ofMarket,
  legs: {
    build: { body: Body(newRecipient), data: AnnouncementBuilt, errors: announceBuildErrors },
    confirm: { body: withHash(newRecipient), data: AnnouncementConfirmed, errors: saleRecipientConfirmErrors },
  },
})

export const rotateSaleRecipient = defineOperation({
  ...lendingPath('/liquidations/{marketId}/sale-recipient/rotate', 'v1'),
  id: 'rotateSaleRecipient',
  ...write,
  summary: 'Rotate the sale recipient',
  description:
    'Completes an announced change, while no liquidation is open. The bid of the leaver ends. The router admin signs. With `txHash`: confirms it.',
  ...ofMarket,
  legs: {
    build: { body: Body({}), data: RotationBuilt, errors: rotateBuildErrors },
    confirm: { body: withHash({}), data: RotationConfirmed, errors: saleRecipientConfirmErrors },
  },
})

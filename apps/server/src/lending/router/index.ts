import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { announceSaleRecipient } from './announce-sale-recipient.write.ts'
import { createAtomicSale } from './atomic-sale.service.ts'
import { closeLiquidation } from './close-liquidation.write.ts'
import { countersignSale } from './countersign-sale.write.ts'
import { getAtomicSaleRoute } from './get-atomic-sale.route.ts'
import { handleLiquidationTimeout } from './handle-liquidation-timeout.write.ts'
import { reopenLiquidation } from './reopen-liquidation.write.ts'
import { reportPartialSale } from './report-partial-sale.write.ts'
import { rotateSaleRecipient } from './rotate-sale-recipient.write.ts'
import { sellPending } from './sell-pending.write.ts'
import { setAtomicMode } from './set-atomic-mode.write.ts'
import { setSaleBid } from './set-sale-bid.write.ts'
import { settleLiquidation } from './settle-liquidation.write.ts'
import { withdrawCollateralForSale } from './withdraw-collateral-for-sale.write.ts'

export { deliveryRestriction } from './delivery.reads.ts'
export { type SettlementReceipt, settlementIn } from './settlement-receipt.ts'

const writes = [
  withdrawCollateralForSale,
  reportPartialSale,
  settleLiquidation,
  handleLiquidationTimeout,
  countersignSale,
  closeLiquidation,
  reopenLiquidation,
  sellPending,
  setAtomicMode,
  setSaleBid,
  announceSaleRecipient,
  rotateSaleRecipient,
]

export const routerRoutes = (parts: LendingParts): Route[] => [
  getAtomicSaleRoute(createAtomicSale(parts)),
  ...writes.map((write) => write(parts)),
]

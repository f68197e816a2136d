import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { announceSaleRecipientRoute } from './announce-sale-recipient.route.ts'
import { createAtomicMode } from './atomic-mode.service.ts'
import { createAtomicSale } from './atomic-sale.service.ts'
import { closeLiquidationRoute } from './close-liquidation.route.ts'
import { countersignSaleRoute } from './countersign-sale.route.ts'
import { getAtomicSaleRoute } from './get-atomic-sale.route.ts'
import { handleLiquidationTimeoutRoute } from './handle-liquidation-timeout.route.ts'
import { createPartialSale } from './partial-sale.service.ts'
import { createRealizationDecisions } from './realization-decisions.service.ts'
import { reopenLiquidationRoute } from './reopen-liquidation.route.ts'
import { reportPartialSaleRoute } from './report-partial-sale.route.ts'
import { rotateSaleRecipientRoute } from './rotate-sale-recipient.route.ts'
import { createRouterRecord } from './router-record.service.ts'
import { createSaleBid } from './sale-bid.service.ts'
import { createSaleRecipient } from './sale-recipient.service.ts'
import { sellPendingRoute } from './sell-pending.route.ts'
import { createSellPending } from './sell-pending.service.ts'
import { setAtomicModeRoute } from './set-atomic-mode.route.ts'
import { setSaleBidRoute } from './set-sale-bid.route.ts'
import { createSettle } from './settle.service.ts'
import { settleLiquidationRoute } from './settle-liquidation.route.ts'
import { withdrawCollateralForSaleRoute } from './withdraw-collateral-for-sale.route.ts'
import { createWithdrawForSale } from './withdraw-for-sale.service.ts'

export const routerRoutes = (parts: LendingParts): Route[] => {
  const decisions = createRealizationDecisions(parts)
  const records = createRouterRecord(parts)
  const recipients = createSaleRecipient(parts)
  return [
    withdrawCollateralForSaleRoute(createWithdrawForSale(parts)),
    reportPartialSaleRoute(createPartialSale(parts)),
    settleLiquidationRoute(createSettle(parts)),
    handleLiquidationTimeoutRoute(decisions),
    countersignSaleRoute(decisions),
    closeLiquidationRoute(records),
    reopenLiquidationRoute(records),
    sellPendingRoute(createSellPending(parts)),
    getAtomicSaleRoute(createAtomicSale(parts)),
    setAtomicModeRoute(createAtomicMode(parts)),
    setSaleBidRoute(createSaleBid(parts)),
    announceSaleRecipientRoute(recipients),
    rotateSaleRecipientRoute(recipients),
  ]
}

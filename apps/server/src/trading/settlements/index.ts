import type { Route } from '../../platform/http/route.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RepeatedJob } from '../../platform/repeat.ts'
import type { TradingParts } from '../parts.ts'
import { confirmSettlementRoute } from './confirm-settlement.route.ts'
import { createConfirmSettlement } from './confirm-settlement.service.ts'
import { createExpirySweep } from './expire-orders.service.ts'
import { getSettlementRoute } from './get-settlement.route.ts'
import { getSettlementCalldataRoute } from './get-settlement-calldata.route.ts'
import { listPendingSettlementsRoute } from './list-pending-settlements.route.ts'
import { createSettlementCalldata } from './settlement-calldata.service.ts'
import { startExpiryJob, startSettlementJob } from './settlements.job.ts'
import { createSettlementsService } from './settlements.service.ts'
import { createSettlementWatch } from './watch-settlements.service.ts'

/** Where a chain does not say itself which of its blocks are final. */
const CONFIRMATIONS = 12

/** From a staged trade to a proven one. */
export function createSettlements(parts: TradingParts & { readonly confirmations?: number | undefined }) {
  const confirmations = parts.confirmations ?? CONFIRMATIONS
  const watch = createSettlementWatch({ ...parts, confirmations })
  return {
    records: createSettlementsService(),
    calldata: createSettlementCalldata({ ...parts, watch }),
    confirm: createConfirmSettlement({ ...parts, confirmations }),
    watch,
    expiry: createExpirySweep(parts),
    chains: parts.chains,
  }
}

type Settlements = ReturnType<typeof createSettlements>

export const settlementRoutes = ({ records, calldata, confirm }: Settlements): Route[] => [
  listPendingSettlementsRoute(records),
  getSettlementRoute(records),
  getSettlementCalldataRoute(calldata),
  confirmSettlementRoute(confirm),
]

export const startSettlementJobs = (
  { watch, expiry, chains }: Settlements,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): RepeatedJob[] => [
  ...chains.all.map((chain) => startSettlementJob({ watch, chain, log, metrics })),
  startExpiryJob({ sweep: expiry, log }),
]

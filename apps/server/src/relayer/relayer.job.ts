import type { Chain } from '../platform/chain/chain.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type RepeatedJob, startRepeating } from '../platform/repeat.ts'
import { type AccountReport, createUpkeep, type UpkeepParts } from './upkeep.service.ts'

export interface RelayerJobParts extends UpkeepParts {
  readonly chain: Chain
  readonly intervalMs: number
  readonly metrics: Metrics
}

const WEI_PER_COIN = 1e18

/** Shows what was found, and nothing any more of relayers that are gone. */
function createBoard(metrics: Metrics, chainId: number) {
  const gauges = [metrics.relayerPending, metrics.relayerOldestPending, metrics.relayerBalance]
  const labelsOf = (instanceId: string) => ({ chain: String(chainId), tenant: instanceId })
  let shown = new Set<string>()

  return (reports: readonly AccountReport[]): void => {
    for (const { instanceId, pending, oldestPendingSeconds, balance } of reports) {
      const labels = labelsOf(instanceId)
      metrics.relayerPending.set(labels, pending)
      metrics.relayerOldestPending.set(labels, oldestPendingSeconds)
      metrics.relayerBalance.set(labels, Number(balance) / WEI_PER_COIN)
      shown.delete(instanceId)
    }
    for (const instanceId of shown) for (const gauge of gauges) gauge.remove(labelsOf(instanceId))
    shown = new Set(reports.map(({ instanceId }) => instanceId))
  }
}

/** Looks after what the relayers of a chain have signed. */
export function startRelayerJob(parts: RelayerJobParts): RepeatedJob {
  const { chain, intervalMs, log, metrics } = parts
  const { chainId } = chain
  const upkeep = createUpkeep(parts)
  const show = createBoard(metrics, chainId)
  const failed = (error: unknown, instanceId?: string) => {
    metrics.relayerErrors.inc({ chain: String(chainId) })
    log.error({ chainId, instanceId, err: error }, 'looking after relayed transactions failed; trying again')
  }
  return startRepeating(intervalMs, async () => {
    await upkeep.pass(chain, failed).then(show, (error: unknown) => failed(error))
  })
}

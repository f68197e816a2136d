import type { Chain } from '../../platform/chain/chain.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { OutgoingTargets } from '../../platform/outgoing/outgoing-targets.ts'
import type { Random } from '../../platform/random.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import { createDelivery } from './deliver.service.ts'
import { createAlertWatch } from './watch-alerts.service.ts'
import { createLienWatch, type LienWatch } from './watch-liens.service.ts'

const DELIVER_EVERY_MS = 500
const PURGE_EVERY_MS = 60 * 60 * 1000

export interface WatchParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
}

async function showLiens(watch: LienWatch, { metrics }: WatchParts, chainId: number): Promise<void> {
  const { open, unread, lastPass } = await watch.state(chainId)
  const labels = { chain: String(chainId) }
  metrics.lienShortfalls.set(labels, open)
  metrics.liensUnread.set(labels, unread)
  if (lastPass) metrics.liensCheckedAt.set(labels, lastPass.getTime() / 1000)
}

/** Looks after liens and rules of one chain. With several workers each pass is made by one of them. */
export function startWatchJob(parts: WatchParts & { readonly chain: Chain; readonly intervalMs: number }): RepeatedJob {
  const { chain, intervalMs, log, metrics } = parts
  // A little less than the interval, or the fastest worker would skip every second turn.
  const pauseMs = intervalMs / 2
  const liens = createLienWatch({ ...parts, pauseMs })
  const alerts = createAlertWatch({ ...parts, pauseMs })
  const failed = (job: 'liens' | 'alerts') => (error: unknown) => {
    metrics.watchErrors.inc({ chain: String(chain.chainId), watch: job })
    log.error({ chainId: chain.chainId, job, err: error }, 'watching failed; trying again')
  }
  return startRepeating(intervalMs, async () => {
    await liens
      .pass(chain)
      .then(() => showLiens(liens, parts, chain.chainId))
      .catch(failed('liens'))
    await alerts.pass(chain).catch(failed('alerts'))
  })
}

/** Sends what waits. Several workers share the work. */
export function startDeliveryJob(parts: WatchParts & { readonly targets: OutgoingTargets }): RepeatedJob {
  const { log, metrics, clock } = parts
  const onError = (error: unknown) => log.error({ err: error }, 'sending webhooks failed; trying again')
  const delivery = createDelivery({ ...parts, onError, onAttempt: (status) => metrics.webhookAttempts.inc({ status }) })
  let purgedAt = 0
  const job = startRepeating(DELIVER_EVERY_MS, async () => {
    try {
      await delivery.begin()
      const now = clock.now().getTime()
      if (now - purgedAt < PURGE_EVERY_MS) return
      await delivery.purge()
      purgedAt = now
    } catch (error) {
      onError(error)
    }
  })
  return {
    async stop() {
      await job.stop()
      await delivery.settle()
    },
  }
}

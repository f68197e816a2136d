import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type RepeatedJob, startRepeating } from '../../platform/repeat.ts'
import type { UnitsService } from './units.service.ts'

const LOOK_EVERY_MS = 1_000

/** Writes the rows of groups whose owner is gone. One that lives writes its own, sooner. */
export function startProjectionJob(parts: {
  readonly units: UnitsService
  readonly log: Log
  readonly metrics: Pick<Metrics, 'laneGroupsLeft'>
}): RepeatedJob {
  return startRepeating(LOOK_EVERY_MS, async () => {
    try {
      parts.metrics.laneGroupsLeft.set(await parts.units.projectLeft())
    } catch (error) {
      parts.log.error({ err: error }, 'rows of a journal could not be written; trying again')
    }
  })
}

import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { OutgoingTargets } from '../platform/outgoing/outgoing-targets.ts'
import type { Random } from '../platform/random.ts'
import type { WritesService } from '../writes/index.ts'

/** What every service of lending is made with. */
export interface LendingParts {
  readonly clock: Clock
  readonly random: Random
  readonly chains: Chains
  readonly writes: WritesService
  /** Where messages may be sent. */
  readonly webhooks: OutgoingTargets
}

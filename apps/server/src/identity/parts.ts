import type { Chains } from '../platform/chain/chains.ts'
import type { Clock } from '../platform/clock.ts'
import type { WritesService } from '../writes/index.ts'

/** What every service of identity is made with. */
export interface IdentityParts {
  readonly clock: Clock
  readonly chains: Chains
  readonly writes: WritesService
}

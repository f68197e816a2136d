import { surveyNodes } from './platform/chain/agreement.ts'
import type { Chain } from './platform/chain/chain.ts'
import type { Clock } from './platform/clock.ts'
import type { Readiness } from './platform/http/readiness.ts'
import type { Metrics } from './platform/metrics.ts'
import { type RepeatedJob, startRepeating } from './platform/repeat.ts'

const SURVEY_EVERY_MS = 15_000
/** A chain that is away for a moment is no reason to say that the worker does not work. */
const QUIET_MS = 60_000

/** Keeps the figures about the nodes of a chain fresh: nobody may ever ask whether the process is ready. */
export function startSurveyJob(chain: Chain, metrics: Metrics): RepeatedJob {
  const label = { chain: String(chain.chainId) }
  return startRepeating(SURVEY_EVERY_MS, async () => {
    const { reachable, agree } = await surveyNodes(chain.rpc)
    metrics.nodesReachable.set(label, reachable)
    metrics.nodesDisagree.set(label, agree ? 0 : 1)
  })
}

/** Whether a worker does what it is for: it has looked at each chain within the last minute. */
export function createFollowing(chains: readonly Chain[], { clock }: { readonly clock: Clock }) {
  const startedAt = clock.now().getTime()
  const lookedAt = new Map<number, number>()
  return {
    looked: (chainId: number) => void lookedAt.set(chainId, clock.now().getTime()),
    readiness: chains.map(
      ({ chainId }): Readiness => ({
        part: `following chain ${chainId}`,
        required: false,
        async check() {
          const quietMs = clock.now().getTime() - (lookedAt.get(chainId) ?? startedAt)
          return quietMs <= QUIET_MS ? undefined : `no look for ${Math.floor(quietMs / 1000)} s`
        },
      }),
    ),
  }
}

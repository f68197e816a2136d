import type { Chain } from '../platform/chain/chain.ts'
import type { Log } from '../platform/log.ts'
import type { Follower, PassReport } from './follower.service.ts'

export interface FollowJob {
  stop(): Promise<void>
}

/** Follows one chain until stopped. A failed pass is logged and tried again: the next one starts where the last commit left off. */
export function startFollowJob(parts: {
  readonly chain: Chain
  readonly follower: Follower
  readonly intervalMs: number
  readonly log: Log
  readonly onPass?: (chainId: number, report: PassReport) => void
  readonly onError?: (chainId: number, error: unknown) => void
}): FollowJob {
  const { chain, follower, log } = parts
  let stopped = false
  let wake: (() => void) | undefined

  async function sleep(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, parts.intervalMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        const report = await follower.pass(chain)
        if (report) parts.onPass?.(chain.chainId, report)
        if (report && report.followedTo < report.head) continue
      } catch (error) {
        parts.onError?.(chain.chainId, error)
        log.error({ chainId: chain.chainId, err: error }, 'following the chain failed; trying again')
      }
      if (!stopped) await sleep()
    }
  }

  const running = run()
  return {
    async stop() {
      stopped = true
      wake?.()
      await running
    },
  }
}

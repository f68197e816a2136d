import type { ChainClients } from '@tallystick/testkit'
import { callKinds, projections } from '../../apps/server/src/features.ts'
import { createFollower } from '../../apps/server/src/follower/index.ts'
import { connectChains } from '../../apps/server/src/platform/chain/chains.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createDatabase } from '../../apps/server/src/platform/db/database.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import type { BenchWorld } from './world.ts'

/** The worker's part, from here to where the chain stands when it is told to finish. */
export async function startFollowing({
  databaseUrl,
  chain,
}: Pick<BenchWorld, 'databaseUrl'> & { chain: ChainClients }) {
  const database = createDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'tally-bench-follower' })
  const chains = await connectChains([{ chainId: chain.chainId, urls: [chain.url] }], {
    timeoutMs: 10_000,
    clock: systemClock,
  })
  const follower = createFollower({
    database,
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
    kinds: callKinds,
    projections,
    confirmations: 3,
    mayStartOver: false,
  })
  const followed = chains.get(chain.chainId)
  // The first pass only notes where the chain stands.
  await follower.pass(followed)
  return {
    async finish(): Promise<void> {
      await follower.pass(followed)
      await Promise.all([database.close(), chains.close()])
    },
  }
}

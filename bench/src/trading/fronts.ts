import { randomBytes } from 'node:crypto'
import type { Sample } from '../measure.ts'
import { cpuOf } from './cpu.ts'
import { loadOf } from './ledger-load.ts'
import { fireOrders, interleaveOrders, type OrderLoad, WARM_UP_SECONDS } from './load.ts'
import { createMarket } from './market.ts'
import { createReplicaSet, type Replica } from './replica-set.ts'

const microsOf = ({ process: child }: Replica): number => cpuOf(child.pid ?? 0) * 1e6

/** One server that does all, and two of which one speaks HTTP and the other one matches, beside a server that answers an empty POST. */
export async function measureFronts(rounds: number, seconds: number) {
  const market = await createMarket()
  const set = await createReplicaSet()
  try {
    const secret = randomBytes(32).toString('hex')
    const [alone, matching] = [await set.startReplica(), await set.startReplica(secret)]
    const front = await set.startReplica(secret, matching.url)
    const ledgers = [await set.openLedger(alone.url), await set.openLedger(matching.url)] as const
    const one = loadOf(alone.url, ledgers[0])
    const two = loadOf(front.url, ledgers[1])
    const empty: OrderLoad = { url: `${market.bare}/empty`, headers: {}, body: one.body, orders: 1 }
    for (const load of [one, two]) await fireOrders(load, WARM_UP_SECONDS)
    const before = [alone, front, matching].map(microsOf)
    const measured = await interleaveOrders({ empty, one, two }, rounds, seconds)
    const spent = [alone, front, matching].map((replica, index) => microsOf(replica) - (before[index] ?? 0))
    const answersOf = (samples: readonly Sample[]) => samples.reduce((sum, { answers }) => sum + answers, 0)
    // The round that finds out how many requests fit is not among the samples, and is about as long as they are.
    const all = (samples: readonly Sample[]) => (answersOf(samples) * (rounds + 1)) / rounds
    const [aloneMicros = 0, frontMicros = 0, matchingMicros = 0] = spent
    const costs = {
      one: aloneMicros / all(measured.one),
      front: frontMicros / all(measured.two),
      matching: matchingMicros / all(measured.two),
    }
    return { ...measured, costs }
  } finally {
    await Promise.all([set.stop(), market.stop()])
  }
}

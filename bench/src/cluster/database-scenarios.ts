import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineName } from './places.ts'
import { MACHINES } from './places.ts'
import type { Figures, Scenario, Stage } from './scenario.ts'
import { until } from './until.ts'

const LEASE_MS = 20_000
const SPARE_MS = 5_000

/** Orders are acknowledged again. */
async function writesAgain({ load }: Stage, ms: number): Promise<void> {
  const before = load.orders()
  await until('orders are acknowledged', ms, async () => (load.orders() > before + 5 ? true : undefined), 20)
}

const failedReads = async (stage: Stage, work: () => Promise<void>): Promise<number> => {
  const before = stage.load.standbyReads()
  await work()
  const after = stage.load.standbyReads()
  return (after.failed - before.failed) / Math.max(1, after.failed - before.failed + after.answered - before.answered)
}

/** Breaks the primary, waits until another one takes writes, mends, and waits until all three are at work. */
async function breakPrimary(
  stage: Stage,
  broken: (name: MachineName) => Promise<void>,
  mended: (name: MachineName) => Promise<void>,
): Promise<Figures> {
  const { cluster, load } = stage
  const name = await cluster.database.primary()
  const at = Date.now()
  let [gapMs, promotedMs, mendedAt, failed] = [0, 0, 0, 0]
  try {
    failed = await failedReads(stage, async () => {
      await broken(name)
      const promoted = until('another primary', 90_000, async () =>
        (await cluster.database.primary()) === name ? undefined : true,
      )
      await Promise.all([
        promoted.then(() => {
          promotedMs = Date.now() - at
        }),
        writesAgain(stage, 90_000),
      ])
      gapMs = load.longestGap(at)
    })
  } finally {
    // What comes next finds all machines, whatever became of this time.
    mendedAt = Date.now()
    await mended(name)
  }
  await cluster.database.whole()
  return { gapMs, promotedMs, wholeAgainMs: Date.now() - mendedAt, failedStandbyReads: failed }
}

/** Whether a machine took writes of its own at the same time as the new primary: told, not asked. */
async function isStillPrimary(stage: Stage, name: MachineName): Promise<boolean> {
  const address = MACHINES.find((one) => one.name === name)?.address
  const status = await fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(1_000) }).then(
    (answer) => answer.status,
    () => 0,
  )
  return status === 200 && (await stage.cluster.database.primary()) !== name
}

export const databaseScenarios: Record<string, Scenario> = {
  'kill-primary': {
    says: 'kill -9 of everything on the machine of the primary',
    bars: { gapMs: LEASE_MS + SPARE_MS, failedStandbyReads: 0.5 },
    times: 20,
    run: (stage) =>
      breakPrimary(
        stage,
        (name) => stage.cluster.database.killMachine(name),
        (name) => stage.cluster.database.startMachine(name),
      ),
  },
  'kill-postgres': {
    says: 'kill -9 of PostgreSQL alone',
    bars: { gapMs: 6_000 },
    times: 5,
    run: (stage) =>
      breakPrimary(
        stage,
        async (name) => stage.cluster.database.killPostgres(name),
        async () => {},
      ),
  },
  switchover: {
    says: 'the primary is asked to hand over, as before maintenance',
    bars: { gapMs: 6_000 },
    times: 3,
    run: (stage) =>
      breakPrimary(
        stage,
        () => stage.cluster.database.switchOver(),
        async () => {},
      ),
  },
  'stop-primary': {
    says: 'everything on the machine of the primary stands still, and goes on when another one has taken over',
    bars: { gapMs: LEASE_MS + SPARE_MS },
    times: 1,
    async run(stage) {
      const { database } = stage.cluster
      let stoppedAt = 0
      return breakPrimary(
        stage,
        async (name) => {
          stoppedAt = Date.now()
          database.stopMachine(name)
        },
        async (name) => {
          await sleep(Math.max(0, stoppedAt + stage.seconds * 1000 - Date.now()))
          database.continueMachine(name)
          stage.say(`awake again; believes itself the primary: ${await isStillPrimary(stage, name)}`)
        },
      )
    },
  },
  'cut-primary': {
    says: 'the primary is cut off from etcd and the standbys, and the API still reaches it',
    bars: { gapMs: LEASE_MS + SPARE_MS },
    times: 1,
    async run(stage) {
      let mend = () => {}
      return breakPrimary(
        stage,
        async (name) => {
          mend = stage.cluster.database.cut(name)
        },
        async () => {
          await sleep(stage.seconds * 100)
          mend()
        },
      )
    },
  },
  'cut-primary-local': {
    says: 'the negative control: the same with synchronous_commit=local, which must lose what was acknowledged',
    bars: {},
    times: 1,
    mustLose: true,
    async run(stage) {
      const { database } = stage.cluster
      await database.configure({ postgresql: { parameters: { synchronous_commit: 'local' } } })
      const name = await database.primary()
      const before = stage.load.orders()
      const mend = database.cut(name)
      try {
        // Until the lease is over, it answers for itself alone.
        await until('another primary', 60_000, async () => ((await database.primary()) === name ? undefined : true))
        await writesAgain(stage, 60_000)
      } finally {
        mend()
      }
      const acknowledged = stage.load.orders() - before
      await database.configure({ postgresql: { parameters: { synchronous_commit: 'on' } } })
      await database.whole()
      return { acknowledged }
    },
  },
  'etcd-member': {
    says: 'the leader of etcd is gone for a while',
    bars: { gapMs: 2_000 },
    times: 1,
    async run({ cluster, load, seconds }) {
      const name = await cluster.database.etcdLeader()
      const at = Date.now()
      await cluster.database.killMachine(name)
      await sleep(Math.min(seconds, 25) * 1000)
      const gapMs = load.longestGap(at)
      await cluster.database.startMachine(name)
      await cluster.database.whole()
      return { gapMs }
    },
  },
}

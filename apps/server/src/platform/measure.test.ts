import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOffchainWorld, type OffchainWorld, ONE } from '../../test/trading/offchain-world.ts'
import { createMetrics, listenToMeasures, type Metrics } from './metrics.ts'

describe('what is waited for', () => {
  let world: OffchainWorld
  let metrics: Metrics
  let stopListening: () => void

  beforeAll(async () => {
    // One connection for transactions.
    world = await createOffchainWorld({ poolSize: 1 })
  })
  afterAll(() => world.close())
  beforeEach(() => {
    metrics = createMetrics()
    stopListening = listenToMeasures(metrics)
  })
  afterEach(() => stopListening())

  async function figure(series: string): Promise<number | undefined> {
    const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length))
  }

  it('is counted while a transaction waits for a connection, and timed afterwards', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = world.database.as('tally_operator', () => held)
    const others = [1, 2].map(() => world.database.as('tally_operator', async (sql) => void (await sql`select 1`)))
    await expect.poll(() => figure('tally_database_waiting{what="connection"}')).toBe(2)
    release()
    await Promise.all([first, ...others])
    expect(await figure('tally_database_waiting{what="connection"}')).toBe(0)
    expect(await figure('tally_database_wait_seconds_count{what="connection"}')).toBe(2)
  })

  it('are turns at an order book, which come in groups, and its locks', async () => {
    const book = await world.createBook()
    await book.fund('anna', 'bert')
    const before = (await figure('tally_group_size_sum')) ?? 0
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => book.buy(index % 2 ? 'anna' : 'bert', ONE, ONE)),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(((await figure('tally_group_size_sum')) ?? 0) - before).toBe(20)
    const groups = await figure('tally_group_size_count')
    expect(groups).toBeLessThan(20)
    expect(await figure('tally_group_queue')).toBe(0)
    // Opening the book and the credits took these; orders only wait for their journal.
    expect(await figure('tally_database_wait_seconds_count{what="unit lock"}')).toBeGreaterThanOrEqual(1)
    expect(await figure('tally_database_wait_seconds_count{what="lane lock"}')).toBeGreaterThanOrEqual(5)
    expect(await figure('tally_database_wait_seconds_count{what="journal"}')).toBeGreaterThanOrEqual(1)
  })

  it('is not taken down when nobody listens', async () => {
    stopListening()
    await (await world.createBook()).fund('anna')
    expect(await figure('tally_group_size_count')).toBe(0)
    expect(await figure('tally_database_waiting{what="connection"}')).toBeUndefined()
  })
})

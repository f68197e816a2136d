import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createEngine, emptyHead, replay } from '@tallystick/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tallyOn } from '../../../test/process/tally.ts'
import { auditUnit, untilSettled } from '../../../test/trading/audit.ts'
import {
  createOffchainWorld,
  newToken,
  OFFCHAIN,
  type OffchainWorld,
  ONE,
  type TestBook,
} from '../../../test/trading/offchain-world.ts'
import { createPool } from '../../../test/trading/pool.ts'
import { startVenue, type Venue } from '../../../test/trading/venue-world.ts'
import type { StreamSink } from '../../platform/http/streams.ts'
import { systemRandom } from '../../platform/random.ts'
import { ArchiveError, createArchives, verifyArchive } from './index.ts'

const DAY_MS = 86_400_000
const RFQ_STREAM = '/orderbooks/stocks/api/rfq/stream'
const headers = { accept: 'text/event-stream' }

interface Row {
  readonly number: number
  readonly body: string
  readonly hash: string
}
type Lines = Record<string, unknown>[]

const linesOf = (file: string): Lines =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
/** The same file with other lines, and a sum that fits them. */
function rewrite(file: string, change: (lines: Lines) => Lines): string {
  const body = change(linesOf(file).slice(0, -1)).map((line) => `${JSON.stringify(line)}\n`)
  const sha256 = createHash('sha256').update(body.join('')).digest('hex')
  const other = `${file}.${randomUUID()}`
  writeFileSync(other, gzipSync(`${body.join('')}${JSON.stringify({ end: true, lines: body.length, sha256 })}\n`))
  return other
}
const entriesIn = (file: string, unitId: string): Row[] => {
  const lines = linesOf(file)
  const from = lines.findIndex((line) => (line.unit as { unitId?: string } | undefined)?.unitId === unitId)
  const rest = lines.slice(from + 1)
  const end = rest.findIndex((line) => !('entry' in line))
  return rest.slice(0, end).map(({ entry }) => {
    const [number, body, hash] = entry as [number, string, string]
    return { number, body, hash }
  })
}

describe('an archive of the journals', () => {
  let world: OffchainWorld
  let venue: Venue
  const folders: string[] = []
  let folder: string

  function newFolder(): string {
    const made = mkdtempSync(join(tmpdir(), 'tally-archive-'))
    folders.push(made)
    return made
  }
  beforeAll(async () => {
    world = await createOffchainWorld()
    venue = startVenue(world, { poolSize: 4 })
  })
  afterAll(async () => {
    await venue.close()
    await world.close()
    for (const each of folders) rmSync(each, { recursive: true })
  })
  beforeEach(() => {
    folder = newFolder()
  })

  const archives = () => createArchives({ database: venue.database, clock: world.clock, random: systemRandom })
  const before = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS)
  function write(days = 90) {
    // Files are named after the moment.
    world.clock.advance(1_000)
    return archives().write(folder, before(days))
  }
  async function written(days?: number) {
    const result = await write(days)
    if (!result) throw new Error('nothing was old enough')
    return result
  }
  const journalOf = (unitId: string) => world.superuser<Row[]>`
    select sequence::int as number, entry as body, hash from unit_journal where unit_id = ${unitId} order by sequence`
  const countsOf = async () => {
    const [counts] = await world.superuser`
      select (select count(*) from unit_journal)::int as entries, (select count(*) from unit_groups)::int as groups,
        (select count(*) from lane_groups)::int as lanes, (select count(*) from rfq_events)::int as notices`
    return counts
  }

  /** Everything so far becomes old. */
  async function age(days = 100): Promise<void> {
    await untilSettled(world.superuser)
    const at = before(days)
    await world.superuser`update unit_groups set committed_at = ${at} where committed_at > ${at}`
    await world.superuser`update lane_groups set at = ${at} where at > ${at}`
    await world.superuser`update rfq_events set created_at = ${at} where created_at > ${at}`
  }
  async function traded(): Promise<TestBook> {
    const book = await world.createBook({ takerFeeBps: 15 })
    await book.fund('anna', 'bert')
    for (let step = 0n; step < 8n; step += 1n) {
      await book.sell('anna', (40n + step) * ONE, 2n * ONE)
      await book.buy('bert', (40n + step) * ONE, ONE)
    }
    return book
  }
  /** As if the same had happened again and again. */
  const repeatNotice = (rfqId: string, times: number) => world.superuser`
    insert into rfq_events (instance_id, number, rfq_id, quote_id, status, record, created_at)
    select e.instance_id, e.number + nth, e.rfq_id, null, e.status, e.record, e.created_at
    from (select * from rfq_events where rfq_id = ${rfqId} order by number desc limit 1) e cross join generate_series(1, ${times}::int) nth`
  async function note(count: number): Promise<void> {
    const { pair, bookIds } = await createPool(venue, 'stocks', [world.instance])
    const [book] = await world.superuser`
      update order_books set base_decimals = 6, quote_decimals = 6 where book_id = ${bookIds[0] ?? ''} returning custody_contract`
    const { tokenAddress: baseToken, quoteTokenAddress: quoteToken } = pair
    const body = {
      ...{ requesterAddress: newToken(), baseToken, quoteToken, custodyContract: book?.custody_contract },
      ...{ side: 'BUY', baseAmount: String(ONE) },
    }
    const { data } = (await world.instance.call('POST', '/orderbooks/stocks/api/rfq', { body })).body
    await repeatNotice(data.id, count - 1)
  }

  it('holds what was deleted, row by row, and leads from the first head to the one that is kept', async () => {
    const book = await traded()
    await note(3)
    await untilSettled(world.superuser)
    const audited = await auditUnit(world.superuser, book.id)
    const rows = [...(await journalOf(book.id))]
    await age()
    for (let step = 0n; step < 3n; step += 1n) await book.buy('bert', 30n * ONE, ONE)
    await untilSettled(world.superuser)
    const counts = await countsOf()

    const { file, ...result } = await written()
    expect(result).toMatchObject({ lanes: 1, instances: 1 })
    const archived = entriesIn(file, book.id)
    expect(archived).toEqual(rows)
    const engine = createEngine()
    const head = replay(engine, emptyHead(book.id), archived)
    expect(engine.stateHash()).toBe(audited.stateHash)

    const kept = [...(await journalOf(book.id))]
    expect(kept.map(({ number }) => number)).toEqual([1, 2, 3].map((step) => rows.length + step))
    const after = await auditHead(book.id)
    expect(replay(engine, head, kept)).toEqual({ number: after.sequence, hash: after.hash })
    expect([after.archived, after.archivedHash]).toEqual([head.number, head.hash])
    const left = await countsOf()
    expect(result.rows).toBe(
      counts?.entries +
        counts?.groups +
        counts?.lanes +
        counts?.notices -
        left?.entries -
        left?.groups -
        left?.lanes -
        left?.notices,
    )
    expect(left?.notices).toBe(1)

    const verified = await verifyArchive(file)
    expect(verified.sha256).toBe(result.sha256)
    expect(verified.units).toContainEqual({
      ...{ unitId: book.id, before: emptyHead(book.id), after: head, entries: rows.length },
      groups: expect.any(Number),
    })
    expect(verified.rfqs).toEqual([{ id: world.instance.instanceId, before: 0, after: 2 }])
    expect(await archives().compare(file)).toMatchObject({ isRecorded: true })
    expect(await archives().list()).toMatchObject([{ sha256: result.sha256, rows: BigInt(result.rows) }])
  })

  async function auditHead(unitId: string) {
    const [unit] = await world.superuser`
      select sequence::int, head_hash as hash, archived_sequence::int as archived, archived_hash as "archivedHash"
      from matching_units where unit_id = ${unitId}`
    return unit as { sequence: number; hash: string; archived: number; archivedHash: string }
  }

  it('leaves a unit that goes on, also on a server that never saw it, and archives that follow each other', async () => {
    const book = await traded()
    await age()
    await book.sell('anna', 60n * ONE, ONE)
    const depth = (await book.get('/snapshot')).body.data.depth
    const first = await verifyArchive((await written()).file)
    const other = startVenue(world, { poolSize: 4 })
    try {
      const { tenant, caller } = await other.as(world.instance)
      const { data } = (await book.get('/snapshot')).body
      expect(data.depth).toEqual(depth)
      const request = { customerRef: 'bert', side: 'BUY', orderType: 'LIMIT', price: String(60n * ONE) } as const
      const placed = await other.orders.submit(tenant, caller, book.id, { ...request, quantity: String(2n * ONE) })
      expect(placed.trades.length).toBeGreaterThan(0)
    } finally {
      await other.close()
    }
    await book.sell('anna', 70n * ONE, ONE)
    await age()
    await book.sell('anna', 71n * ONE, ONE)
    const second = await verifyArchive((await written()).file)
    const of = ({ units }: typeof first) => units.find(({ unitId }) => unitId === book.id)
    expect(of(second)?.before).toEqual(of(first)?.after)
    expect(of(second)?.entries).toBeGreaterThan(0)
  })

  it('is refused when it was changed, even by somebody who made the sum fit', async () => {
    await traded()
    await note(3)
    await age()
    await note(2)
    const { file } = await written()
    const faults: [(lines: Lines) => Lines, RegExp][] = [
      [(lines) => lines.map((line) => ('entry' in line ? changedBody(line) : line)), /its hash does not fit/],
      [(lines) => lines.filter((line) => !('entry' in line) || (line.entry as [number])[0] !== 3), /follows 2/],
      [(lines) => lines.filter((line) => !('group' in line)), /rows are missing/],
      [(lines) => lines.map((line) => ('rfqEvent' in line ? renumbered(line) : line)), /does not follow/],
      [(lines) => lines.map((line) => ('laneGroup' in line ? withOtherHead(line) : line)), /is not whole/],
      [([header, ...rest]) => [{ ...header, format: 'other' }, ...rest], /no archive of Tallystick/],
      [([header, ...rest]) => [{ ...header, version: 2 }, ...rest], /version 2 cannot be read/],
      [([header, ...rest]) => [header ?? {}, ...rest.filter((line) => !('unit' in line))], /before the part/],
    ]
    for (const [change, reason] of faults) {
      const failure = await verifyArchive(rewrite(file, change)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ArchiveError)
      expect((failure as Error).message).toMatch(reason)
    }
    const bytes = readFileSync(file)
    for (const cut of [bytes.subarray(0, bytes.length / 2), Buffer.from('no gzip at all')]) {
      writeFileSync(`${file}.cut`, cut)
      await expect(verifyArchive(`${file}.cut`)).rejects.toThrow('cannot be trusted')
    }
    const withoutSum = gunzipSync(bytes)
      .toString('utf8')
      .replace(/"createdAt":"2/, '"createdAt":"3')
    writeFileSync(`${file}.sum`, gzipSync(withoutSum))
    await expect(verifyArchive(`${file}.sum`)).rejects.toThrow('its sum does not fit')
  })

  const changedBody = ({ entry }: Record<string, unknown>) => {
    const [number, body, hash] = entry as [number, string, string]
    return {
      entry: [number, number === 2 ? body.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10)) : body, hash],
    }
  }
  const renumbered = ({ rfqEvent }: Record<string, unknown>) => ({
    rfqEvent: { ...(rfqEvent as object), number: (rfqEvent as { number: number }).number + 1 },
  })
  const withOtherHead = ({ laneGroup }: Record<string, unknown>) => ({
    laneGroup: { ...(laneGroup as object), head_hash: '0'.repeat(64) },
  })

  it('is no reason to delete anything until it was written and read: stopped in between, nothing is lost', async () => {
    const book = await traded()
    await age()
    await book.sell('anna', 60n * ONE, ONE)
    await untilSettled(world.superuser)
    const counts = await countsOf()
    await world.superuser.unsafe(`
      create function refuse_delete() returns trigger language plpgsql as $$ begin raise exception 'the power failed'; end $$;
      create trigger refuse_delete before delete on unit_entries for each row execute function refuse_delete()`)
    await expect(write()).rejects.toThrow('the power failed')
    await world.superuser.unsafe(`drop trigger refuse_delete on unit_entries; drop function refuse_delete()`)
    expect(await countsOf()).toEqual(counts)
    const [orphan = ''] = readdirSync(folder)
    expect(readdirSync(folder)).toHaveLength(1)
    const unused = await archives().compare(join(folder, orphan))
    expect(unused.isRecorded).toBe(false)

    const { file } = await written()
    const again = await verifyArchive(file)
    expect(again.units).toEqual(unused.archive.units)
    expect((await auditHead(book.id)).archived).toBeGreaterThan(0)
    expect(await archives().compare(file)).toMatchObject({ isRecorded: true })
  })

  it('overwrites no file, leaves none half written, and is not written for what is young or not there', async () => {
    await traded()
    await expect(archives().write(folder, before(0.5))).rejects.toThrow('Nothing younger than a day')
    await age()
    await traded()
    const at = world.clock.now()
    const { write: writeAt } = createArchives({
      database: venue.database,
      clock: { now: () => at },
      random: systemRandom,
    })
    const name = `tally-${at.toISOString().replace(/[:.]/g, '-')}.archive.gz`
    writeFileSync(join(folder, name), 'mine')
    await expect(writeAt(folder, before(90))).rejects.toThrow('there is a file of that name already')
    await expect(writeAt(join(folder, 'nowhere'), before(90))).rejects.toThrow('cannot be written')
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual([name])
    await written()
    expect(await write()).toBeNull()
    expect(readdirSync(folder).filter((one) => one.endsWith('.partial'))).toEqual([])
  })

  it('moves aside for nobody twice: of two at once, one deletes', async () => {
    const book = await traded()
    await age()
    await book.sell('anna', 60n * ONE, ONE)
    await untilSettled(world.superuser)
    const other = newFolder()
    const outcomes = await Promise.allSettled([
      archives().write(folder, before(90)),
      archives().write(other, before(90)),
    ])
    const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []))
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ArchiveError)
    const parts = await world.superuser`
      select count(*)::int as count from archive_parts where subject_id = ${book.id} and kind = 'UNIT'`
    expect(parts).toEqual([{ count: 1 }])
    expect(done.length).toBeLessThanOrEqual(1)
    expect((await journalOf(book.id))[0]?.number).toBe((await auditHead(book.id)).archived + 1)
  })

  it('ends where listeners can go on, and says so to those who come from before', async () => {
    const book = await traded()
    const pool = await createPool(venue, 'stocks', [world.instance])
    for (let step = 0n; step < 3n; step += 1n)
      await pool.place(0, { side: 'SELL', price: (50n + step) * ONE, quantity: ONE })
    await note(4)
    await age()
    await book.buy('bert', 41n * ONE, ONE)
    await note(1)
    await pool.place(0, { side: 'SELL', price: 60n * ONE, quantity: ONE })
    await written()
    const unitOfPool = await auditHead(pool.unitId)
    const [rfqs] =
      await world.superuser`select number::text from rfq_archived where instance_id = ${world.instance.instanceId}`
    const streams: [string, string][] = [
      [`${OFFCHAIN}/order-books/${book.id}/fills/stream`, String((await auditHead(book.id)).archived)],
      [`/orderbooks/stocks/api/order-books/${pool.bookIds[0]}/fills/stream`, String(unitOfPool.archived)],
      [RFQ_STREAM, rfqs?.number],
    ]
    for (const [path, oldest] of streams) {
      expect(Number(oldest)).toBeGreaterThan(0)
      for (const after of ['0', String(Number(oldest) - 1)]) {
        const refused = await world.instance.call('GET', `${path}?after=${after}`, { headers })
        expect([path, refused.status, refused.body.error]).toMatchObject([
          path,
          410,
          { code: 'HISTORY_ARCHIVED', oldest },
        ])
      }
      // Beyond the last one is another fault: so the oldest is taken.
      const beyond = await world.instance.call('GET', `${path}?after=99999999`, { headers })
      expect(beyond.body.error.code).toBe('INVALID_PARAM')
    }
  })

  /** A listener that reads nothing until it is let go on. */
  function slowSink() {
    const [sent, ends]: [string[], string[]] = [[], []]
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const sink: StreamSink = {
      send: ({ event }) => void sent.push(event),
      drained: () => waiting,
      end: (reason) => void ends.push(reason),
    }
    return { sink, sent, ends, goOn: () => goOn() }
  }

  it('ends streams that are still reading what it takes away, instead of leaving something out', async () => {
    const book = await world.createBook({ tokenType: 'STOCK_TOKEN' })
    await book.fund('anna', 'bert')
    const order = {
      customerRef: 'anna',
      side: 'SELL',
      orderType: 'LIMIT',
      price: String(40n * ONE),
      quantity: String(ONE),
    }
    const orders = Array.from({ length: 100 }, () => order)
    await book.sell('anna', 39n * ONE, ONE)
    await book.buy('bert', 39n * ONE, ONE)
    for (let batch = 0; batch < 6; batch += 1)
      await world.instance.call('POST', `${OFFCHAIN}/orders/batch`, { body: { orderBookId: book.id, orders } })
    await note(1)
    const { tenant } = await venue.as(world.instance)
    const [last] = await world.superuser`select rfq_id from rfq_events order by number desc limit 1`
    const [from] = await world.superuser`
      select coalesce(max(number), 0)::text as archived from rfq_archived where instance_id = ${world.instance.instanceId}`
    await repeatNotice(last?.rfq_id, 150)
    await untilSettled(world.superuser)

    const [fills, rfqs] = [slowSink(), slowSink()]
    const sources = [
      await venue.streams.fills(tenant, OFFCHAIN, book.id, { after: '0', lastEventId: undefined }),
      await venue.rfqs.noticeStreams.open(tenant, { after: from?.archived, lastEventId: undefined }),
    ] as const
    const running = [sources[0].start(fills.sink), sources[1].start(rfqs.sink)]
    await expect.poll(() => [fills.sent.at(-1), rfqs.sent.at(-1)]).toEqual(['fill', 'notice'])
    await age()
    await book.sell('anna', 41n * ONE, ONE)
    await written()
    for (const { goOn } of [fills, rfqs]) goOn()
    await expect.poll(() => [fills.ends, rfqs.ends]).toEqual([['HISTORY_ARCHIVED'], ['HISTORY_ARCHIVED']])
    for (const one of running) one.stop()
  })

  it('is written, listed and verified by the operator', async () => {
    await traded()
    await age(200)
    await traded()
    await untilSettled(world.superuser)
    const env = { DATABASE_URL: world.databaseUrl, RPC_URL: 'http://127.0.0.1:1', DATA_DIR: folder }
    const tally = tallyOn({ ...env, ARCHIVE_AFTER_DAYS: '1' })
    const made = await tally.answers('archive', 'write', folder)
    expect(existsSync(made.file)).toBe(true)
    expect(made.rows).toBeGreaterThan(0)
    expect(await tallyOn({}).answers('archive', 'verify', '--json', made.file)).toMatchObject({ sha256: made.sha256 })
    expect(await tally.answers('archive', 'verify', '--database', made.file)).toMatchObject({ isRecorded: true })
    expect(await tally.answers('archive', 'list', '--json')).toContainEqual(
      expect.objectContaining({ sha256: made.sha256, rows: String(made.rows) }),
    )
    expect(await tally.answers('archive', 'write', folder, '--older-than', '9999')).toMatchObject({
      file: null,
      rows: 0,
    })
    expect(await tally.explains('archive', 'write', folder, '--older-than', 'x')).toMatch('whole number of days')
    writeFileSync(made.file, readFileSync(made.file).subarray(0, 100))
    expect(await tally.explains('archive', 'verify', made.file)).toContain('cannot be trusted')
  })
})

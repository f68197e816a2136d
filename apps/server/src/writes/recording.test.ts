import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  chainRows,
  createNotaryWorld,
  lockWaiters,
  logsOf,
  type NotaryWorld,
  totalsOf,
} from '../../test/notary-world.ts'
import type { TestInstance } from '../../test/world.ts'

describe('recording a confirmed effect', () => {
  let world: NotaryWorld
  let other: TestInstance

  beforeAll(async () => {
    world = await createNotaryWorld({ poolSize: 24 })
    other = await world.createInstance()
  })
  afterAll(() => world.close())

  const count = async (table: string, txHash: string): Promise<number> => {
    const [row] = await world.superuser<{ count: number }[]>`
      select count(*)::integer as count from ${world.superuser(table)} where tx_hash = ${txHash}`
    return row?.count ?? -1
  }

  it('gives the same answer for the same hash and keeps one row', async () => {
    const note = await world.note()
    const first = await world.confirm(note)
    const rows = await chainRows(world.superuser)
    const second = await world.confirm(note)
    expect(second.status).toBe(200)
    expect(second.body.data).toEqual(first.body.data)
    expect(await chainRows(world.superuser)).toEqual(rows)
    expect(await count('recordings', note.txHash)).toBe(1)
  })

  it('keeps one row of everything when twenty confirms of one hash arrive at once', async () => {
    const note = await world.note()
    const before = await totalsOf(world.superuser, world.notary)
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.confirm(note)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    for (const table of ['chain_logs', 'chain_facts', 'recordings']) expect(await count(table, note.txHash)).toBe(1)
    expect(await totalsOf(world.superuser, world.notary)).toEqual({ notes: before.notes + 1, total: before.total + 5 })
  })

  it('derives rows from all facts when different transactions are confirmed at once', async () => {
    const before = await totalsOf(world.superuser, world.notary)
    const notes = []
    for (let amount = 1n; amount <= 12n; amount++) notes.push(await world.note(amount))
    const answers = await Promise.all(notes.map((note) => world.confirm(note)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await totalsOf(world.superuser, world.notary)).toEqual({
      notes: before.notes + 12,
      total: before.total + 78,
    })
  })

  it('lets a second writer of a contract wait, so that it derives rows from the facts of the first', async () => {
    const before = await totalsOf(world.superuser, world.notary)
    const [first, second] = [await world.note(100n), await world.note(10n)]
    const gate = world.totals.hold()
    const slow = world.confirm(first)
    await gate.held
    const waiting = world.confirm(second)
    await lockWaiters(world.superuser, 1)
    gate.release()
    expect([(await slow).status, (await waiting).status]).toEqual([200, 200])
    expect(await totalsOf(world.superuser, world.notary)).toEqual({
      notes: before.notes + 2,
      total: before.total + 110,
    })
  })

  it('stores the fact once for two instances and a recording for each', async () => {
    const note = await world.note()
    expect((await world.confirm(note)).status).toBe(200)
    expect((await world.confirm(note, other)).status).toBe(200)
    expect(await count('chain_logs', note.txHash)).toBe(1)
    expect(await count('chain_facts', note.txHash)).toBe(1)
    expect(await count('recordings', note.txHash)).toBe(2)
  })

  it('shows an instance its own recordings only, even of a contract that both can read', async () => {
    const [mine, theirs] = [await world.note(), await world.note()]
    await world.confirm(mine)
    await world.confirm(theirs, other)
    const hashes = async (instance: TestInstance) => (await world.recorded(instance)).map(({ txHash }) => txHash)
    expect(await hashes(world.instance)).toContain(mine.txHash)
    expect(await hashes(world.instance)).not.toContain(theirs.txHash)
    expect(await hashes(other)).toContain(theirs.txHash)
    expect(await hashes(other)).not.toContain(mine.txHash)
  })

  it('opens the rows of a contract to an instance with its first recording there, and to no other', async () => {
    const stranger = await world.createInstance()
    await world.confirm(await world.note())
    const seen = (instanceId: string) =>
      world.database.owner.begin(async (sql) => {
        await sql`select set_config('role', 'tally_api', true), set_config('tally.instance_id', ${instanceId}, true)`
        const counts: number[] = []
        for (const table of ['chain_logs', 'chain_facts', 'chain_live_facts', 'recordings', 'note_totals']) {
          const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ${sql(table)}`
          counts.push(row?.count ?? -1)
        }
        return counts
      })
    expect(await seen(stranger.instanceId)).toEqual([0, 0, 0, 0, 0])
    await world.confirm(await world.note(), stranger)
    const [logs, facts, live, recordings, totals] = await seen(stranger.instanceId)
    expect([logs, facts, live]).toEqual([facts, logs, logs])
    expect(logs).toBeGreaterThan(1)
    expect([recordings, totals]).toEqual([1, 1])
  })

  it('orders the recordings of one block by their place in it, newest first', async () => {
    await world.node.testClient.setAutomine(false)
    const ids = [world.newId(), world.newId(), world.newId()]
    const hashes: Hex[] = []
    for (const [index, id] of ids.entries())
      hashes.push(
        await world.node.walletClient.sendTransaction({
          to: world.notary,
          data: world.calldata(id, BigInt(index + 1)),
          gas: 200_000n,
        }),
      )
    await world.node.testClient.mine({ blocks: 1 })
    await world.node.testClient.setAutomine(true)
    for (const index of [1, 0, 2]) {
      const [id, txHash] = [ids[index], hashes[index]]
      if (!id || !txHash) throw new Error('unreachable')
      expect((await world.confirm({ id, amount: String(index + 1), txHash })).status).toBe(200)
      expect(await logsOf(world.superuser, txHash)).toMatchObject([{ logIndex: 0, blockLogIndex: index }])
    }
    expect((await world.recorded()).slice(0, 3).map(({ id }) => id)).toEqual([...ids].reverse())
  })

  it('writes nothing when a projection fails, and everything with the next try', async () => {
    const note = await world.note()
    const before = await chainRows(world.superuser)
    world.totals.failWith = new Error('a projection failed')
    const failed = await world.confirm(note)
    expect({ status: failed.status, code: failed.body.error.code }).toEqual({ status: 500, code: 'INTERNAL_ERROR' })
    expect(await chainRows(world.superuser)).toEqual(before)
    expect((await world.confirm(note)).status).toBe(200)
    expect(await count('recordings', note.txHash)).toBe(1)
  })

  describe('with an Idempotency-Key', () => {
    it('replays a confirm byte for byte and keeps one row', async () => {
      const note = await world.note()
      const headers = { 'idempotency-key': 'confirm-once' }
      const first = await world.confirm(note, world.instance, headers)
      const second = await world.confirm(note, world.instance, headers)
      expect(first.status).toBe(200)
      expect(second.text).toBe(first.text)
      expect([first.headers['idempotent-replay'], second.headers['idempotent-replay']]).toEqual([undefined, 'true'])
      expect(await count('recordings', note.txHash)).toBe(1)
    })

    it('tries a hash that was not mined yet again, and keeps a refusal that cannot change', async () => {
      const headers = { 'idempotency-key': 'confirm-later' }
      const id = world.newId()
      await world.node.testClient.setAutomine(false)
      const data = world.calldata(id, 5n)
      const txHash = await world.node.walletClient.sendTransaction({ to: world.notary, data, gas: 200_000n })
      const early = await world.confirm({ id, amount: '5', txHash }, world.instance, headers)
      expect(early.body.error.code).toBe('TX_NOT_FOUND')
      await world.node.testClient.mine({ blocks: 1 })
      await world.node.testClient.setAutomine(true)
      expect((await world.confirm({ id, amount: '5', txHash }, world.instance, headers)).status).toBe(200)

      const wrong = { id, amount: '6', txHash }
      const refused = { 'idempotency-key': 'confirm-wrong' }
      const before = await chainRows(world.superuser)
      const first = await world.confirm(wrong, world.instance, refused)
      expect(first.body.error.code).toBe('TX_NOT_VERIFIED')
      const second = await world.confirm(wrong, world.instance, refused)
      expect([second.text, second.headers['idempotent-replay']]).toEqual([first.text, 'true'])
      expect(await chainRows(world.superuser)).toEqual(before)
    })
  })
})

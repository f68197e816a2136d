import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  chainRows,
  createNotaryWorld,
  logsOf,
  type NotaryWorld,
  type Note,
  noticesOf,
  totalsOf,
} from '../../test/notary-world.ts'

describe('a reorganization', () => {
  let world: NotaryWorld
  let kept: Note
  let before: { notes: number; total: number }

  beforeAll(async () => {
    world = await createNotaryWorld()
    await world.follower.pass(world.served)
  })
  beforeEach(async () => {
    kept = await world.note(100n)
    expect((await world.confirm(kept)).status).toBe(200)
    await world.follower.pass(world.served)
    await world.node.testClient.mine({ blocks: 1 })
    await world.follower.pass(world.served)
    before = await totalsOf(world.superuser, world.notary)
  })
  afterAll(() => world.close())

  const pass = () => world.follower.pass(world.served)
  /** Which of the notes the instance can see as recorded. */
  async function shown(...notes: Note[]): Promise<boolean[]> {
    const hashes = (await world.recorded()).map(({ txHash }) => txHash)
    return notes.map(({ txHash }) => hashes.includes(txHash))
  }
  /** What the notes that came after the kept one add up to, as the product derived it. */
  async function added() {
    const { notes, total } = await totalsOf(world.superuser, world.notary)
    return { notes: notes - before.notes, total: total - before.total }
  }

  it('undoes the facts of the blocks it took, and says so once', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    expect(await shown(note, kept)).toEqual([true, true])
    await world.reorg(1)
    expect(await pass()).toMatchObject({ orphanedFacts: 1, newFacts: 0 })
    expect(await shown(note, kept)).toEqual([false, true])
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'ORPHANED' }])
    expect(await added()).toEqual({ notes: 0, total: 0 })
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
    expect(await pass()).toMatchObject({ orphanedFacts: 0 })
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
    expect(await noticesOf(world.superuser, kept.txHash)).toEqual([])
  })

  it('makes the hash unknown to a confirm', async () => {
    const note = await world.note()
    await world.reorg(1)
    const rows = await chainRows(world.superuser)
    expect((await world.confirm(note)).body.error.code).toBe('TX_NOT_FOUND')
    expect(await chainRows(world.superuser)).toEqual(rows)
  })

  it('undoes facts that were called final', async () => {
    const note = await world.note()
    await world.confirm(note)
    await world.node.testClient.mine({ blocks: 5 })
    await pass()
    expect(await logsOf(world.superuser, note.txHash)).toMatchObject([{ finality: 'FINALIZED' }])
    await world.reorg(6)
    expect(await pass()).toMatchObject({ orphanedFacts: 1 })
    expect(await shown(note, kept)).toEqual([false, true])
  })

  it('undoes the facts of a block that only a confirm saw', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    expect(await shown(note, kept)).toEqual([true, true])
    await world.reorg(1)
    expect(await pass()).toMatchObject({ orphanedFacts: 1 })
    expect(await shown(note, kept)).toEqual([false, true])
    expect(await added()).toEqual({ notes: 0, total: 0 })
  })

  it('undoes all in one transaction: a projection that fails leaves everything as it was', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    await world.reorg(1)
    const rows = await chainRows(world.superuser)
    const cursor = await world.superuser`select * from chain_cursors`
    const blocks = await world.superuser`select * from chain_blocks order by block_number`
    world.totals.failWith = new Error('a projection failed')
    await expect(pass()).rejects.toThrow('a projection failed')
    expect(await chainRows(world.superuser)).toEqual(rows)
    expect(await world.superuser`select * from chain_cursors`).toEqual(cursor)
    expect(await world.superuser`select * from chain_blocks order by block_number`).toEqual(blocks)
    expect(await pass()).toMatchObject({ orphanedFacts: 1 })
    expect(await added()).toEqual({ notes: 0, total: 0 })
  })

  it('is undone once when several followers meet it at once', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await pass()
    await world.reorg(1)
    const followers = Array.from({ length: 4 }, () => world.createFollower())
    const reports = await Promise.all(followers.map((follower) => follower.pass(world.served)))
    expect(reports.reduce((sum, report) => sum + (report?.orphanedFacts ?? 0), 0)).toBe(1)
    await Promise.all(followers.map((follower) => follower.pass(world.served)))
    expect(await noticesOf(world.superuser, note.txHash)).toEqual(['FACT_ORPHANED'])
    const remembered = await world.superuser`
      select c.block_hash = b.block_hash as same from chain_cursors c join chain_blocks b using (chain_id, block_number)`
    expect(remembered).toEqual([{ same: true }])
  })

  it('of a node that comes back shorter undoes what lay beyond', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await world.node.testClient.mine({ blocks: 3 })
    await pass()
    await world.rpc('anvil_rollback', [4])
    const report = await pass()
    expect(report).toMatchObject({ orphanedFacts: 1, followedTo: await world.node.publicClient.getBlockNumber() })
    expect(await shown(note, kept)).toEqual([false, true])
    await world.note(7n)
    expect(await pass()).toMatchObject({ newFacts: 1 })
    expect(await added()).toEqual({ notes: 1, total: 7 })
  })

  it('that keeps the chain at its height but changes its end picks up what happened there instead', async () => {
    const note = await world.note(5n)
    await world.confirm(note)
    await world.node.testClient.mine({ blocks: 2 })
    await pass()
    const instead = await world.signedNote(9n)
    await world.reorg(3, [[instead.raw, 1]])
    expect(await pass()).toMatchObject({ orphanedFacts: 1, newFacts: 1 })
    expect(await logsOf(world.superuser, instead.txHash)).toMatchObject([{ finality: 'MINED' }])
    expect(await added()).toEqual({ notes: 1, total: 9 })
  })
})

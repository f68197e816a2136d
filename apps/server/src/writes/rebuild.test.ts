import { notaryAbi, notaryBytecode } from '@tallystick/abi/testing'
import { deploy, send } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notaryKinds } from '../../test/notary.call.ts'
import { chainRows, createNotaryWorld, lockWaiters, logsOf, type NotaryWorld } from '../../test/notary-world.ts'
import { rebuild } from './index.ts'

describe('rebuilding what is derived from events', () => {
  let world: NotaryWorld

  beforeAll(async () => {
    world = await createNotaryWorld()
    const second = await deploy(world.node, { abi: notaryAbi, bytecode: notaryBytecode })
    const id = world.newId()
    const call = { address: second, abi: notaryAbi, functionName: 'record', args: [id, 7n] }
    const elsewhere = { id, amount: '7', txHash: (await send(world.node, call)).transactionHash }
    await world.instance.call('POST', `/test/api/notary/${second}/record`, { body: elsewhere })
    const first = await world.note(2n ** 255n)
    await world.confirm(first)
    await send(world.node, { address: world.notary, abi: notaryAbi, functionName: 'erase', args: [first.id] })
    await world.follower.pass(world.served)
    await world.follower.pass(world.served)
    const lost = await world.note(3n)
    await world.confirm(lost)
    await world.follower.pass(world.served)
    await world.reorg(1)
    await world.follower.pass(world.served)
    expect(await logsOf(world.superuser, lost.txHash)).toMatchObject([{ finality: 'ORPHANED' }])
  })
  afterAll(() => world.close())

  const parts = () => ({ kinds: notaryKinds, projections: [world.totals.project] })

  it('changes nothing where nothing is wrong', async () => {
    const before = await chainRows(world.superuser)
    expect(await rebuild(world.database, parts())).toEqual({ logs: 4, facts: 4 })
    expect(await chainRows(world.superuser)).toEqual(before)
    expect(before.chain_facts?.map(({ operation }) => operation).sort()).toEqual([
      'eraseNote',
      'recordNote',
      'recordNote',
      'recordNote',
    ])
  })

  it('restores exactly the rows that were deleted, changed or invented', async () => {
    const before = await chainRows(world.superuser)
    await world.superuser`delete from chain_facts where operation = 'eraseNote'`
    await world.superuser`update chain_facts set effect = '{"id": "0x00", "amount": "1"}', subject = '0xdead'`
    await world.superuser`
      insert into chain_facts select gen_random_uuid(), chain_id, tx_hash, log_index, subject, 'invented', effect from chain_facts`
    await world.superuser`update note_totals set total = 0, notes = 99`
    await rebuild(world.database, parts())
    expect(await chainRows(world.superuser)).toEqual(before)
  })

  it('restores everything after all derived rows are gone', async () => {
    const before = await chainRows(world.superuser)
    await world.superuser`delete from chain_facts`
    await world.superuser`delete from note_totals`
    await rebuild(world.database, parts())
    expect(await chainRows(world.superuser)).toEqual(before)
  })

  it('leaves everything as it was when a projection fails', async () => {
    const before = await chainRows(world.superuser)
    world.totals.failWith = new Error('a projection failed')
    await expect(rebuild(world.database, parts())).rejects.toThrow('a projection failed')
    expect(await chainRows(world.superuser)).toEqual(before)
  })

  it('lets a confirm and a pass that arrive meanwhile wait, and loses neither', async () => {
    const [confirmed, followed] = [await world.note(20n), await world.note(30n)]
    const gate = world.totals.hold()
    const rebuilding = rebuild(world.database, parts())
    await gate.held
    const others = [world.confirm(confirmed), world.follower.pass(world.served)]
    await lockWaiters(world.superuser, 2)
    gate.release()
    await Promise.all([rebuilding, ...others])
    const after = await chainRows(world.superuser)
    for (const { txHash } of [confirmed, followed])
      expect(after.chain_facts?.filter((fact) => fact.tx_hash === txHash)).toHaveLength(1)
    await rebuild(world.database, parts())
    expect(await chainRows(world.superuser)).toEqual(after)
  })
})

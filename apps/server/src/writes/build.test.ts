import { notaryAbi } from '@tallystick/abi/testing'
import { tcpProxy } from '@tallystick/testkit'
import { decodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chainRows, createNotaryWorld, type NotaryWorld } from '../../test/notary-world.ts'
import { rpcProxy } from '../../test/rpc-proxy.ts'
import { asSafeFile } from '../platform/http/safe-file.ts'

describe('building a transaction', () => {
  let world: NotaryWorld
  let cut: () => Promise<void>
  let restore: () => Promise<void>

  beforeAll(async () => {
    world = await createNotaryWorld({
      rpcUrls: async (node) => {
        const proxy = await tcpProxy(node.url)
        cut = proxy.cut
        restore = proxy.restore
        return [proxy.url]
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await cut()
  })

  const build = (body: object) => world.instance.call('POST', `/test/api/notary/${world.notary}/record`, { body })

  it('answers the unsigned call and what it would do, and writes nothing', async () => {
    const id = world.newId()
    const before = await chainRows(world.superuser)
    const { status, body } = await build({ id, amount: '5', signer: world.node.accounts[1]?.address })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      action: 'SIGN_TRANSACTION',
      transaction: { to: world.notary, data: world.calldata(id, 5n), value: '0', chainId: 31337 },
      functionName: 'record',
      simulation: { simulated: true, success: true, gasUsed: expect.stringMatching(/^[1-9]\d+$/), revert: null },
    })
    expect(decodeFunctionData({ abi: notaryAbi, data: body.data.transaction.data }).args).toEqual([id, 5n])
    expect(await chainRows(world.superuser)).toEqual(before)
  })

  it('simulates without a signer too', async () => {
    const { body } = await build({ id: world.newId(), amount: '5' })
    expect(body.data.simulation).toMatchObject({ simulated: true, success: true })
  })

  it('never refuses because of a failing simulation, and names the revert by the code of the table', async () => {
    const { id } = await world.note()
    const taken = await build({ id, amount: '5' })
    expect(taken.status).toBe(200)
    expect(taken.body.data.transaction.data).toBe(world.calldata(id, 5n))
    expect(taken.body.data.simulation).toEqual({
      simulated: true,
      success: false,
      gasUsed: expect.stringMatching(/^\d+$/),
      revert: {
        error: 'AlreadyRecorded',
        code: 'NOTE_EXISTS',
        message: `There is a note with this id already. (${id})`,
      },
    })
    const empty = await build({ id: world.newId(), amount: '0' })
    expect(empty.body.data.simulation.revert).toEqual({
      error: 'ZeroAmount',
      code: 'NOTE_EMPTY',
      message: 'A note needs an amount.',
    })
  })

  it('can be sent as it is and then confirmed on the same route', async () => {
    const id = world.newId()
    const built = await build({ id, amount: '9' })
    const { to, data } = built.body.data.transaction
    const txHash = await world.node.walletClient.sendTransaction({ to, data })
    await world.node.publicClient.waitForTransactionReceipt({ hash: txHash })
    const { status, body } = await build({ id, amount: '9', txHash })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, amount: '9', txHash })
  })

  it('answers CHAIN_UNAVAILABLE on both legs while the node is away, and writes nothing', async () => {
    const note = await world.note()
    const before = await chainRows(world.superuser)
    await cut()
    onTestFinished(restore)
    const answers = [await build({ id: note.id, amount: '5' }), await build(note)]
    for (const { status, headers, body } of answers)
      expect({ status, code: body.error?.code, wait: headers['retry-after'] }).toEqual({
        status: 503,
        code: 'CHAIN_UNAVAILABLE',
        wait: '1',
      })
    expect(await chainRows(world.superuser)).toEqual(before)
    await restore()
    expect((await build(note)).status).toBe(200)
  })

  it('says that nothing was simulated where the node can neither simulate nor estimate', async () => {
    const lame = await createNotaryWorld({
      rpcUrls: async (node) => {
        const proxy = await rpcProxy(node.url)
        onTestFinished(() => proxy.stop())
        proxy.replaceAnswer = ({ method }) =>
          ['eth_simulateV1', 'eth_estimateGas'].includes(method)
            ? { error: { code: -32601, message: 'method not found' } }
            : undefined
        return [proxy.url]
      },
    })
    onTestFinished(() => lame.close())
    const path = `/test/api/notary/${lame.notary}/record`
    const { status, body } = await lame.instance.call('POST', path, { body: { id: lame.newId(), amount: '5' } })
    expect(status).toBe(200)
    expect(body.data.simulation).toEqual({ simulated: false, success: false, gasUsed: null, revert: null })
  })

  it('becomes a file of the Safe Transaction Builder', async () => {
    const { body } = await build({ id: world.newId(), amount: '5' })
    const { transaction } = body.data
    expect(asSafeFile('record a note', [transaction, transaction], new Date(1_700_000_000_123))).toEqual({
      version: '1.0',
      chainId: '31337',
      createdAt: 1_700_000_000_123,
      meta: { name: 'record a note', description: 'Built by Tallystick', txBuilderVersion: '1.17.1' },
      transactions: Array.from({ length: 2 }, () => ({
        to: world.notary,
        value: '0',
        data: transaction.data,
        contractMethod: null,
        contractInputsValues: null,
      })),
    })
  })
})

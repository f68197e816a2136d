import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, signInWithKey } from '../../test/browser.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../test/lending/lending-world.ts'
import { createMarketLife } from '../../test/lending/market-life.ts'
import type { TestAnswer } from '../../test/world.ts'

const TRANSACTIONS = '/access/api/transactions'
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

describe('transactions that were built in a session', () => {
  let world: LendingWorld
  let browser: Browser
  let path: string

  beforeAll(async () => {
    world = await createLendingWorld()
    path = `${V2}/markets/${(await createMarketLife(world).adopted()).marketId}/pause`
    browser = await signInWithKey(world, world.deployer)
  })
  afterAll(() => world.close())

  const build = async () => {
    const built = must(await browser.call('POST', path, { body: {} }))
    return { built, id: String(built.headers['x-transaction-id']) }
  }
  const list = async (query = '') => must(await browser.call('GET', `${TRANSACTIONS}${query}`)).body.data
  const get = async (id: string) => must(await browser.call('GET', `${TRANSACTIONS}/${id}`)).body.data
  const report = (id: string, txHash: string) =>
    browser.call('POST', `${TRANSACTIONS}/${id}/sent`, { body: { txHash } })

  it('are found again with what is to be signed; those of keys are not kept', async () => {
    const { built, id } = await build()
    const withKey = must(await world.deployer.post(path, {}))
    expect(withKey.headers).not.toHaveProperty('x-transaction-id')
    expect(withKey.body.data.transaction.data).toBe(built.body.data.transaction.data)
    const listed = {
      transactionId: id,
      operation: 'pauseMarket',
      summary: expect.any(String),
      status: 'BUILT',
      maker: { name: 'default', userId: null },
      path,
      chainId: 31_337,
      txHash: null,
      builtAt: expect.any(String),
      sentAt: null,
      blockNumber: null,
    }
    expect((await list()).transactions).toEqual([listed])
    const { to, data, value, chainId } = built.body.data.transaction
    expect(await get(id)).toEqual({ ...listed, body: {}, calls: [{ to, data, value, chainId }] })
  })

  it('are followed from their hash to their end, or back', async () => {
    const { built, id } = await build()
    const txHash = await world.sign(world.deployer.wallet, built)
    const sent = must(await report(id, txHash.toUpperCase().replace('0X', '0x'))).body.data
    expect(sent).toMatchObject({ transactionId: id, status: 'SENT', txHash, sentAt: expect.any(String) })
    must(await browser.call('POST', path, { body: { txHash } }))
    const mined = await get(id)
    expect(mined).toMatchObject({ status: 'MINED', blockNumber: expect.stringMatching(/^\d+$/) })
    for (const [finality, status] of [
      ['SAFE', 'MINED'],
      ['FINALIZED', 'FINAL'],
      ['ORPHANED', 'UNDONE'],
    ] as const) {
      await world.superuser`update chain_logs set finality = ${finality} where tx_hash = ${txHash}`
      expect((await get(id)).status).toBe(status)
      const found = (await list(`?status=${status}`)).transactions
      expect(found.map((one: { transactionId: string }) => one.transactionId)).toEqual([id])
    }
    expect((await list('?status=BUILT')).transactions).toHaveLength(1)
  })

  it('come in pages, newest first', async () => {
    const first = await list('?limit=1')
    expect(first).toMatchObject({ hasMore: true, limit: 1, nextCursor: expect.any(String) })
    const second = await list(`?limit=1&cursor=${first.nextCursor}`)
    expect(second).toMatchObject({ hasMore: false, nextCursor: null })
    const ids = [...first.transactions, ...second.transactions].map((one) => one.transactionId)
    expect(ids).toEqual((await list()).transactions.map((one: { transactionId: string }) => one.transactionId))
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}?cursor=nonsense`))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}?status=LOST`))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('belong to one instance', async () => {
    const id = (await list()).transactions[0].transactionId
    const other = await world.createInstance()
    expect((await other.call('GET', TRANSACTIONS)).body.data.transactions).toEqual([])
    const txHash = `0x${'7'.repeat(64)}`
    for (const name of [id, 'nonsense']) {
      expect(refusal(await other.call('GET', `${TRANSACTIONS}/${name}`))).toEqual([404, 'TRANSACTION_NOT_FOUND'])
      const reported = await other.call('POST', `${TRANSACTIONS}/${name}/sent`, { body: { txHash } })
      expect(refusal(reported)).toEqual([404, 'TRANSACTION_NOT_FOUND'])
    }
    const long = 'x'.repeat(101)
    expect(refusal(await browser.call('GET', `${TRANSACTIONS}/${long}`))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await report(long, txHash))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await report(id, '0x12'))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

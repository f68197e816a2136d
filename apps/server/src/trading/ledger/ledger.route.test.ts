import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, newToken, OFFCHAIN, type OffchainWorld } from '../../../test/trading/offchain-world.ts'
import type { TestInstance } from '../../../test/world.ts'

describe('the ledger', () => {
  let world: OffchainWorld
  let token: string

  const call = (method: string, path: string, body?: object, of: TestInstance = world.instance) =>
    of.call(method, `${OFFCHAIN}/ledger${path}`, body ? { body } : {})
  const register = (tokenAddress: string) => call('POST', '/tokens', { tokenAddress, symbol: 'TKN', name: 'Token' })
  const move = (kind: string, customerRef: string, amount: string, more: object = {}) =>
    call('POST', `/${kind}`, { customerRef, tokenAddress: token, amount, ...more })
  const expectRefusal = (answer: { status: number; body: { error: object } }, status: number, error: object) =>
    expect([answer.status, answer.body.error]).toMatchObject([status, error])

  beforeAll(async () => {
    world = await createOffchainWorld()
    token = newToken()
    await register(token)
  })
  afterAll(() => world.close())

  it('keeps the tokens that were registered, once each', async () => {
    const first = await register(token)
    const again = await call('POST', '/tokens', { tokenAddress: token, symbol: 'OTHER' })
    expect(again.body.data).toEqual(first.body.data)
    expect((await call('GET', '/tokens')).body.data).toEqual([first.body.data])
    expectRefusal(await register(`0x${'aB'.repeat(20)}`), 400, { code: 'VALIDATION_ERROR' })
    const other = await world.createInstance()
    expect((await call('GET', '/tokens', undefined, other)).body.data).toEqual([])
  })

  it('moves an amount from one side to the other, in one entry with two legs', async () => {
    const credited = await move('credit', 'anna', '5000000', { reference: 'wire 1' })
    expect(credited.body.data).toMatchObject({
      entry: {
        kind: 'CREDIT',
        reference: 'wire 1',
        tradeId: null,
        legs: [
          { account: 'EXTERNAL', customerRef: null, amount: '-5000000' },
          { account: 'CUSTOMER', customerRef: 'anna', amount: '5000000' },
        ],
      },
      balance: { customerRef: 'anna', total: '5000000', reserved: '0', available: '5000000' },
    })
    const debited = await move('debit', 'anna', '2000000')
    expect(debited.body.data).toMatchObject({ entry: { kind: 'DEBIT' }, balance: { available: '3000000' } })
  })

  it('never goes below zero, however many ask at once', async () => {
    await move('credit', 'bert', '10')
    expectRefusal(await move('debit', 'bert', '11'), 400, {
      code: 'INSUFFICIENT_BALANCE',
      required: '0.000011',
      available: '0.00001',
      tokenAddress: token,
    })
    const answers = await Promise.all(Array.from({ length: 15 }, () => move('debit', 'bert', '1')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expectRefusal(await move('debit', 'nobody', '1'), 400, { code: 'INSUFFICIENT_BALANCE', available: '0' })
  })

  it('wants an amount above zero of a token that it keeps', async () => {
    for (const kind of ['credit', 'debit']) {
      expectRefusal(await move(kind, 'anna', '0'), 400, { code: 'VALIDATION_ERROR', details: [{ field: 'amount' }] })
      const unknown = newToken()
      expectRefusal(await move(kind, 'anna', '1', { tokenAddress: unknown }), 400, {
        code: 'TOKEN_NOT_REGISTERED',
        tokenAddress: unknown,
      })
    }
  })

  it('happens once per Idempotency-Key', async () => {
    const body = { customerRef: 'twice', tokenAddress: token, amount: '7' }
    const headers = { 'idempotency-key': 'credit-0001' }
    const ask = () => world.instance.call('POST', `${OFFCHAIN}/ledger/credit`, { body, headers })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    const { balances } = (await call('GET', '/balances?customerRef=twice')).body.data
    expect(balances).toMatchObject([{ total: '7' }])
  })

  it('lists balances by customer and token, and its entries newest first, page by page', async () => {
    const own = newToken()
    await register(own)
    for (let count = 1; count <= 5; count += 1) {
      await move('credit', 'paged', String(count), { tokenAddress: own })
      world.clock.advance(2)
    }
    const balances = (await call('GET', `/balances?tokenAddress=${own}&limit=1`)).body.data
    expect(balances).toMatchObject({ total: 1, limit: 1, offset: 0, balances: [{ customerRef: 'paged', total: '15' }] })
    const amounts: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page += 1) {
      const { entries, nextCursor } = (
        await call('GET', `/entries?customerRef=paged&tokenAddress=${own}&limit=2${cursor && `&cursor=${cursor}`}`)
      ).body.data
      amounts.push(...entries.map(({ legs }: { legs: { amount: string }[] }) => legs[1]?.amount))
      cursor = nextCursor ?? ''
    }
    expect(amounts).toEqual(['5', '4', '3', '2', '1'])
    expect(cursor).toBe('')
    expectRefusal(await call('GET', '/entries?cursor=nonsense'), 400, { code: 'VALIDATION_ERROR' })
    expectRefusal(await call('GET', '/balances?tokenAddress=0x12'), 400, { code: 'VALIDATION_ERROR' })
    const other = await world.createInstance()
    expect((await call('GET', '/entries', undefined, other)).body.data.entries).toEqual([])
    expect((await call('GET', '/balances', undefined, other)).body.data.balances).toEqual([])
  })
})

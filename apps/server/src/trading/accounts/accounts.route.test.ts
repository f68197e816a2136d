import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOffchainWorld, newToken, OFFCHAIN, type OffchainWorld } from '../../../test/trading/offchain-world.ts'

describe('a trading account', () => {
  let world: OffchainWorld

  beforeAll(async () => {
    world = await createOffchainWorld()
  })
  afterAll(() => world.close())

  const call = (method: string, path: string, body?: object, prefix = 'stocks') =>
    world.instance.call(method, `/orderbooks/${prefix}/api/accounts${path}`, body ? { body } : {})
  const expectRefusal = (answer: { status: number; body: { error: object } }, status: number, error: object) =>
    expect([answer.status, answer.body.error]).toMatchObject([status, error])

  it('belongs to one wallet or one customer, and is the same on all three classes', async () => {
    const userAddress = newToken()
    const made = await call('POST', '', {
      userAddress,
      name: 'Desk',
      canQuote: true,
      permittedOrderBookIds: ['a', 'b'],
    })
    expect(made.body.data).toMatchObject({
      userAddress,
      customerRef: null,
      name: 'Desk',
      isMarketMaker: false,
      canQuote: true,
      permittedOrderBookIds: ['a', 'b'],
      status: 'ACTIVE',
    })
    const { accountId } = made.body.data
    for (const prefix of ['stocks', 'commodities', 'external-securities'])
      expect((await call('GET', `/${accountId}`, undefined, prefix)).body.data).toEqual(made.body.data)
    expectRefusal(await call('POST', '', { userAddress: userAddress.toUpperCase().replace('0X', '0x') }), 409, {
      code: 'ACCOUNT_EXISTS',
      accountId,
    })
    for (const body of [{}, { userAddress, customerRef: 'both' }, { userAddress: `0x${'aB'.repeat(20)}` }])
      expectRefusal(await call('POST', '', body), 400, { code: 'VALIDATION_ERROR' })
  })

  it('is opened by the first credit of a customer', async () => {
    const tokenAddress = newToken()
    await world.instance.call('POST', `${OFFCHAIN}/ledger/tokens`, { body: { tokenAddress, symbol: 'TKN' } })
    await world.credit('newcomer', tokenAddress, 5n)
    await world.credit('newcomer', tokenAddress, 5n)
    const found = (await call('GET', '?customerRef=newcomer')).body.data
    expect(found).toMatchObject({ total: 1, accounts: [{ customerRef: 'newcomer', userAddress: null, name: null }] })
  })

  it('changes only what is sent', async () => {
    const { accountId } = (await call('POST', '', { customerRef: 'changing', name: 'Before' })).body.data
    const changed = await call('PATCH', `/${accountId}`, { isMarketMaker: true, status: 'SUSPENDED' })
    expect(changed.body.data).toMatchObject({ name: 'Before', isMarketMaker: true, status: 'SUSPENDED' })
    const cleared = await call('PATCH', `/${accountId}`, { name: null, status: 'ACTIVE' })
    expect(cleared.body.data).toMatchObject({ name: null, isMarketMaker: true, status: 'ACTIVE' })
    expectRefusal(await call('PATCH', `/${accountId}`, { status: 'CLOSED' }), 400, { code: 'VALIDATION_ERROR' })
  })

  it('is listed newest first, and found by nobody else', async () => {
    const other = await world.createInstance()
    const path = '/orderbooks/commodities/api/accounts'
    const ids: string[] = []
    for (const customerRef of ['one', 'two', 'three']) {
      ids.unshift((await other.call('POST', path, { body: { customerRef } })).body.data.accountId)
      world.clock.advance(2)
    }
    const listed = (await other.call('GET', `${path}?limit=2`)).body.data
    expect(listed).toMatchObject({ total: 3, limit: 2, offset: 0 })
    expect(listed.accounts.map(({ accountId }: { accountId: string }) => accountId)).toEqual(ids.slice(0, 2))
    expectRefusal(await other.call('GET', `${path}?userAddress=0x1`), 400, { code: 'VALIDATION_ERROR' })
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'x' }],
    ] as const)
      expectRefusal(await call(method, `/${ids[0]}`, body), 404, { code: 'ACCOUNT_NOT_FOUND' })
  })
})

import { type TcpProxy, tcpProxy, wallet } from '@tallystick/testkit'
import { keccak256, toBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../test/lending/asset-data-steps.ts'
import { createLendingWorld, type LendingWorld, must } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createTermsSteps, type TermsSteps, termsPath } from '../../../test/lending/terms-steps.ts'
import { termsProvideForExtensions } from './terms.store.ts'

describe('writing the terms of a market', () => {
  let proxy: TcpProxy
  let world: LendingWorld
  let life: MarketLife
  let steps: TermsSteps
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await tcpProxy(node.url)
        return [proxy.url]
      },
    })
    life = createMarketLife(world)
    steps = createTermsSteps(world)
    market = await life.adopted()
  })
  afterAll(async () => {
    await world.close()
    await proxy.stop()
  })

  const put = (body: Record<string, unknown>) => steps.put(market.marketId, body)
  const current = () => world.deployer.get(termsPath(market.marketId))
  const allowsExtensions = async () => {
    const rows = await world.database.as('tally_chain', (sql) =>
      termsProvideForExtensions(sql, world.node.chainId, market.marketAddress),
    )
    return [...rows]
  }

  it('saves a first version, in force at once, hashed as it will be served', async () => {
    expect(await allowsExtensions()).toEqual([{ providesForExtensions: false }])
    const { data } = must(await put({ content: '# Terms\r\n\r\nOne\ttwo.', title: '  Our terms ' })).body
    const content = '# Terms\n\nOne\ttwo.'
    const author = world.deployer.wallet.address.toLowerCase()
    expect(data).toMatchObject({ changed: true, authority: 'CURATOR', liveVersion: 1, notice: null })
    expect(data.terms).toMatchObject({
      marketAddress: market.marketAddress,
      version: 1,
      title: 'Our terms',
      content,
      contentHash: keccak256(toBytes(content)),
      contentBytes: content.length,
      curatorAddress: author,
      published: true,
      providesForExtensions: false,
      format: 'markdown',
    })
    expect(must(await current()).body.data.terms).toEqual(data.terms)
  })

  it('changes nothing when the same is sent again, also under the same Idempotency-Key', async () => {
    const body = { content: '# Terms\n\nOne\ttwo.', title: 'Our terms' }
    expect(must(await put(body)).body.data).toMatchObject({ changed: false, terms: { version: 1 } })
    const headers = { 'idempotency-key': 'put-terms-once' }
    const send = () =>
      world.deployer.call('PUT', termsPath(market.marketId), { body: { ...body, title: 'New' }, headers })
    expect((await send()).text).toBe((await send()).text)
    expect(must(await current()).body.data.terms).toMatchObject({ version: 2, title: 'New' })
  })

  it('lets terms provide for extensions while they are in force', async () => {
    const body = { content: 'Maturities may be extended.', providesForExtensions: true }
    must(await put(body))
    expect(await allowsExtensions()).toEqual([{ providesForExtensions: true }])
    must(await steps.withdraw(market.marketId))
    expect(await allowsExtensions()).toEqual([{ providesForExtensions: false }])
    expect(must(await put(body)).body.data).toMatchObject({ changed: true, terms: { version: 3 }, liveVersion: 3 })
    expect(await allowsExtensions()).toEqual([{ providesForExtensions: true }])
  })

  it('keeps a draft beside what is in force until it is published', async () => {
    const draft = { content: 'Draft of four', published: false }
    const { data } = must(await put(draft)).body
    expect(data).toMatchObject({
      changed: true,
      liveVersion: 3,
      terms: { version: 4, published: false, publishedAt: null },
    })
    expect(data.notice).toMatch(/version 3/)
    expect(must(await put(draft)).body.data.changed).toBe(false)
    expect(must(await current()).body.data.terms.version).toBe(3)
    const published = must(await put({ ...draft, published: true })).body.data
    expect(published).toMatchObject({ changed: true, liveVersion: 4, terms: { version: 4, published: true } })
    const again = must(await put(draft)).body.data
    expect(again).toMatchObject({ changed: false, liveVersion: 4, notice: expect.stringMatching(/DELETE/) })
  })

  it('counts versions without gaps when two write at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((turn) => put({ content: `at once ${turn}` })))
    const versions = answers.map((answer) => must(answer).body.data.terms.version)
    expect(versions.sort()).toEqual([5, 6, 7, 8])
    expect(must(await current()).body.data.terms.version).toBe(8)
  })

  it('withdraws what is in force, and writes no version', async () => {
    expect(must(await steps.withdraw(market.marketId)).body.data).toEqual({ unpublished: true, authority: 'CURATOR' })
    refused(await current(), 404, 'TERMS_NOT_PUBLISHED')
    expect(must(await steps.withdraw(market.marketId)).body.data.unpublished).toBe(false)
    const { versions, current: inForce } = must(await world.deployer.get(termsPath(market.marketId, '/versions'))).body
      .data
    expect([versions[0].version, versions[0].published, inForce]).toEqual([8, false, null])
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a zero', 'a\u0000b'],
    ['an escape', 'a\u001b[31mb'],
    ['half a character', 'a\ud800b'],
    ['quotes without end', `${'>'.repeat(60)} deep`],
  ])('refuses a text of %s', async (_what, content) => {
    refused(await put({ content }), 400, 'INVALID_TERMS_CONTENT')
  })

  it('takes text up to the limit, counted in characters and in bytes', async () => {
    const limit = 262_144
    must(await put({ content: 'x '.repeat(limit / 2), published: false }))
    refused(await put({ content: 'x'.repeat(limit + 1) }), 413, 'TERMS_TOO_LARGE')
    refused(await put({ content: 'ü'.repeat(limit / 2 + 1) }), 413, 'TERMS_TOO_LARGE')
  })

  it('refuses a title that is too long or more than a line, and fields of the wrong form', async () => {
    for (const title of ['x'.repeat(201), 'two\nlines', 'half \udfff'])
      refused(await put({ content: 'a', title }), 400, 'INVALID_TERMS_TITLE')
    expect(must(await put({ content: 'a', title: 'x'.repeat(200) })).body.data.changed).toBe(true)
    expect(must(await put({ content: 'b', title: ' ' })).body.data.terms.title).toBeNull()
    const error = refused(await put({ content: 1, published: 'yes' }), 400, 'VALIDATION_ERROR')
    expect(error.details).toHaveLength(2)
    refused(await put({}), 400, 'VALIDATION_ERROR')
  })

  it('is for the lender of record, the market admin and the issuer, by what the chain says', async () => {
    const adoptedBy = async (symbol: string, terms: Record<string, unknown>) => {
      const borrowAssetAddress = await world.createCash(symbol)
      return life.adopted({ borrowAssetAddress }, { curator: world.lender.wallet, terms })
    }
    const { address } = world.deployer.wallet
    const body = { content: 'terms' }
    const admin = await adoptedBy('EURX', { admin: address, issuer: address })
    expect(must(await steps.put(admin.marketId, body)).body.data.authority).toBe('MARKET_ADMIN')
    const issuer = await adoptedBy('GBPX', { issuer: address })
    expect(must(await steps.put(issuer.marketId, body)).body.data.authority).toBe('MARKET_ISSUER')
    const none = await adoptedBy('CHFX', {})
    refused(await steps.put(none.marketId, body), 403, 'NOT_CURATOR')
    refused(await steps.withdraw(none.marketId), 403, 'NOT_CURATOR')
    const seeking = await world.deployMarket({ mode: 'CUSTODY' })
    refused(await steps.put(seeking.marketId, body), 403, 'NOT_CURATOR')
    // The lender records the market of its own adoption; what it writes is what the deployer reads.
    const lendersId = await steps.alsoRecordedBy(world.lender, none)
    must(await steps.put(lendersId, { content: 'by the lender' }, world.lender))
    const shared = must(await world.deployer.get(termsPath(none.marketId))).body.data.terms
    expect(shared).toMatchObject({
      content: 'by the lender',
      curatorAddress: world.lender.wallet.address.toLowerCase(),
    })
  })

  it('refuses to guess who may write when the chain does not tell', async () => {
    const mute = await life.adopted({ borrowAssetAddress: await world.createCash('MUTE') })
    await world.node.testClient.setCode({ address: mute.marketAddress, bytecode: '0x60006000fd' })
    refused(await steps.put(mute.marketId, { content: 'a' }), 503, 'MARKET_UNREADABLE')
    await proxy.cut()
    const answers = [await put({ content: 'a' }), await steps.withdraw(market.marketId)]
    await proxy.restore()
    for (const answer of answers) {
      refused(answer, 503, 'MARKET_UNREADABLE')
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  it('needs a wallet to have an author', async () => {
    const { instanceId } = world.deployer
    await world.superuser`delete from wallets where instance_id = ${instanceId}`
    refused(await put({ content: 'a' }), 412, 'WALLET_NOT_CONFIGURED')
    refused(await steps.withdraw(market.marketId), 412, 'WALLET_NOT_CONFIGURED')
    await world.superuser`
      insert into wallets (instance_id, address, is_primary, verified_by, verified_at)
      values (${instanceId}, ${wallet(7).address.toLowerCase()}, true, 'EIP191', now())`
    refused(await put({ content: 'a' }), 403, 'NOT_CURATOR')
  })
})

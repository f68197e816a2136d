import { seededRandom } from '@tallystick/testkit'
import { frameworks } from '@tallystick/wire'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fillImports } from '../../test/fill-imports.ts'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'
import type { TestInstance } from '../../test/world.ts'

describe('GET /external-tokens/api/list', () => {
  let world: TokensWorld
  let instance: TestInstance

  beforeAll(async () => {
    world = await createTokensWorld()
  })
  beforeEach(async () => {
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  const importAs = (one: TestInstance, tokenAddress: string) =>
    one.call('POST', `${TOKENS}/import`, { body: { tokenAddress, assetType: 'BOND' } })
  async function addressesOf(one: TestInstance): Promise<string[]> {
    const { status, body } = await one.call('GET', `${TOKENS}/list`)
    expect(status).toBe(200)
    return body.data.map(({ tokenAddress }: { tokenAddress: string }) => tokenAddress)
  }

  it('answers a bare array of import records, newest first', async () => {
    const addresses: string[] = []
    for (const symbol of ['AAA', 'BBB', 'CCC']) {
      addresses.unshift(await world.createCash(symbol))
      expect((await importAs(instance, addresses[0] ?? '')).status).toBe(200)
    }
    const { status, body } = await instance.call('GET', `${TOKENS}/list`)
    expect(status).toBe(200)
    expect(body.data.map((one: { tokenAddress: string }) => one.tokenAddress)).toEqual(addresses)
    expect(body.data[0]).toEqual({
      tokenAddress: addresses[0],
      name: 'Token CCC',
      symbol: 'CCC',
      decimals: 6,
      framework: 'erc20',
      assetType: 'BOND',
      imageURI: null,
      totalSupply: '0',
      totalSupplyAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      totalSupplyBlock: expect.stringMatching(/^\d+$/),
      warnings: [],
      metadata: {},
      importedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      instanceId: instance.instanceId,
    })
  })

  it('is an empty array for an instance that imported nothing', async () => {
    const { status, body } = await instance.call('GET', `${TOKENS}/list`)
    expect(status).toBe(200)
    expect(body.data).toEqual([])
  })

  it('shows no profile, although one is published', async () => {
    const token = await world.createCash()
    await importAs(instance, token)
    const profile = { issuerName: 'Alpine Uhren AG' }
    expect((await instance.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile } })).status).toBe(200)
    const { body } = await instance.call('GET', `${TOKENS}/list`)
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).not.toHaveProperty('profile')
    expect(body.data[0]).not.toHaveProperty('evidence')
  })

  it('leaves revoked imports out, and shows a token that was imported again once, as the newest', async () => {
    const [first, second] = [await world.createCash('ONE'), await world.createCash('TWO')]
    for (const token of [first, second]) await importAs(instance, token)
    await instance.call('DELETE', `${TOKENS}/${first}`)
    expect(await addressesOf(instance)).toEqual([second])
    await importAs(instance, first)
    expect(await addressesOf(instance)).toEqual([first, second])
  })

  it('keeps the place of an import that was changed later', async () => {
    const [older, newer] = [await world.createCash('OLD'), await world.createCash('NEW')]
    for (const token of [older, newer]) await importAs(instance, token)
    await instance.call('PUT', `${TOKENS}/${older}/image`, { body: { imageURI: 'https://a.example/i.png' } })
    await instance.call('POST', `${TOKENS}/${older}/refresh`)
    expect(await addressesOf(instance)).toEqual([newer, older])
  })

  it('shows only imports of the own instance', async () => {
    const other = await world.createInstance()
    const token = await world.createCash()
    await importAs(other, token)
    expect(await addressesOf(instance)).toEqual([])
    expect(await addressesOf(other)).toEqual([token])
  })

  it('shows all of 200 imports at once, and not those that were revoked before', async () => {
    await fillImports(world.superuser, instance.instanceId, 30, 'REVOKED')
    await fillImports(world.superuser, instance.instanceId, 200)
    const addresses = await addressesOf(instance)
    expect(new Set(addresses).size).toBe(200)
    const { body } = await instance.call('GET', `${TOKENS}/list`)
    const times = body.data.map(({ importedAt }: { importedAt: string }) => importedAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('shows each import exactly as it is shown alone, whatever its amounts, texts and facts', async () => {
    const random = seededRandom(4_100)
    const texts = ['plain', 'Ünïcödé 株式 🚀', '"quoted" \\ / </script>', "it's", '{id} [x] null', '\u2028\u00A0']
    const facts = [{}, { uri: 'https://x.example/{id}' }, { paused: null, compliance: '0xab' }, { granularity: '10' }]
    for (let row = 0; row < 60; row++) {
      const decimals = random.pick([0, 1, 6, 18, 77])
      const supply = random.pick([0n, 1n, 10n ** BigInt(decimals), maxUint256, random.bigint(0n, maxUint256)])
      const moment = new Date(1_700_000_000_000 + random.integer(0, 9) * 1_000 + random.pick([0, 7, 120, 999]))
      await world.superuser`
        insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework,
          total_supply_raw, facts, evidence, asset_type, image_uri, status, imported_at, updated_at)
        values (${instance.instanceId}, gen_random_uuid(), 31337, ${random.hex(20)}, ${random.pick(texts)},
          ${random.pick(texts).slice(0, 12)}, ${decimals}, ${random.pick([...frameworks])}, ${supply.toString()}::numeric,
          ${world.superuser.json(random.pick(facts))}, '[]', 'ART', ${random.pick([null, 'ipfs://bafy'])}, 'ACTIVE',
          ${moment}, ${moment})`
    }
    const { body } = await instance.call('GET', `${TOKENS}/list`)
    expect(body.data).toHaveLength(60)
    for (const listed of body.data) {
      const single = await instance.call('GET', `${TOKENS}/${listed.tokenAddress}`)
      const { profile: _, evidence: __, updatedAt: ___, ...record } = single.body.data
      expect(listed).toEqual({ ...record, instanceId: instance.instanceId })
    }
    const times = body.data.map(({ importedAt }: { importedAt: string }) => importedAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('answers FETCH_FAILED, never an empty list, when the imports cannot be read', async () => {
    await importAs(instance, await world.createCash())
    await world.superuser`revoke select on token_imports from tally_api`
    try {
      const { status, headers, body } = await instance.call('GET', `${TOKENS}/list`)
      expect([status, body.error.code, body.data]).toEqual([500, 'FETCH_FAILED', null])
      expect(headers['retry-after']).toBe('1')
      expect(body.error.message).not.toContain('permission')
    } finally {
      await world.superuser`grant select on token_imports to tally_api`
    }
    expect(await addressesOf(instance)).toHaveLength(1)
  })
})

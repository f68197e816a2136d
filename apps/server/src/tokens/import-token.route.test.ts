import { demoCashAbi } from '@tallystick/abi'
import {
  cloneFactoryAbi,
  cloneFactoryBytecode,
  plainProxyAbi,
  plainProxyBytecode,
  restrictedCashAbi,
  restrictedCashBytecode,
} from '@tallystick/abi/testing'
import { send } from '@tallystick/testkit'
import { assetTypes } from '@tallystick/wire'
import { getAddress, parseEventLogs, toFunctionSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillImports } from '../../test/fill-imports.ts'
import { createTokensWorld, TOKENS, type TokensWorld } from '../../test/tokens-world.ts'
import type { TestInstance } from '../../test/world.ts'

/** Does nothing: a proxy wants to be called when it is created. */
const NAME = toFunctionSelector('name()')

describe('POST /external-tokens/api/import', () => {
  let world: TokensWorld

  beforeAll(async () => {
    world = await createTokensWorld()
  })
  afterAll(() => world.close())

  const importAs = (instance: TestInstance, tokenAddress: string) =>
    instance.call('POST', `${TOKENS}/import`, { body: { tokenAddress, assetType: 'BOND' } })
  const listed = async (instance: TestInstance): Promise<string[]> =>
    (await instance.call('GET', `${TOKENS}/list`)).body.data.map((one: { tokenAddress: string }) => one.tokenAddress)

  it('warns of restrictions that a token has while it answers like a plain ERC-20, also behind a proxy or a clone', async () => {
    const restricted = await world.create({ abi: restrictedCashAbi, bytecode: restrictedCashBytecode })
    const proxy = await world.create({ abi: plainProxyAbi, bytecode: plainProxyBytecode, args: [restricted, NAME] })
    const factory = await world.create({ abi: cloneFactoryAbi, bytecode: cloneFactoryBytecode })
    const onFactory = { address: factory, abi: cloneFactoryAbi, functionName: 'clone' }
    const { logs } = await send(world.node, { ...onFactory, args: [restricted, '0x'] })
    const [cloned] = parseEventLogs({ abi: cloneFactoryAbi, eventName: 'Cloned', logs })
    const expected = [
      { code: 'PAUSABLE', functions: ['pause()', 'paused()'] },
      { code: 'BLOCK_LIST', functions: ['isBlacklisted(address)', 'blacklist(address)'] },
      { code: 'RULE_ENGINE', functions: ['ruleEngine()', 'setRuleEngine(address)'] },
      { code: 'SNAPSHOT', functions: ['snapshot()'] },
    ]
    for (const token of [restricted, proxy, cloned?.args.clone ?? zeroAddress]) {
      const { data } = (await world.import(token)).body
      expect(data).toMatchObject({ framework: 'erc20', name: 'Restricted Cash', warnings: expected })
      expect(data.warnings[0].message).toBe('Transfers may be paused for everybody. Its code has pause(), paused().')
      expect((await world.get(token)).body.data.warnings).toEqual(data.warnings)
      const refreshed = (await world.instance.call('POST', `${TOKENS}/${token}/refresh`)).body.data
      expect(refreshed.record.warnings).toEqual(data.warnings)
    }
    const listed = (await world.instance.call('GET', `${TOKENS}/list`)).body.data
    expect(listed.slice(0, 3)).toMatchObject(Array(3).fill({ warnings: expected }))
    const { token: security } = await world.createSecurity()
    expect((await world.import(security)).body.data).toMatchObject({ framework: 'erc3643', warnings: [] })
  })

  it('stores what the contract says beside what the importer says, and tells at which block', async () => {
    const token = await world.createCash('dEUR', 6)
    const owner = world.node.walletClient.account.address
    await send(world.node, { address: token, abi: demoCashAbi, functionName: 'mint', args: [owner, 1_500_000n] })
    const imageURI = 'ipfs://bafyimage'
    const { status, body } = await world.import(getAddress(token), { assetType: 'CRYPTO_ASSET', imageURI })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      tokenAddress: token,
      name: 'Token dEUR',
      symbol: 'dEUR',
      decimals: 6,
      framework: 'erc20',
      totalSupply: '1.5',
      totalSupplyAt: new Date(body.metadata.chainTime * 1000).toISOString(),
      totalSupplyBlock: body.metadata.blockNumber,
      warnings: [],
      assetType: 'CRYPTO_ASSET',
      imageURI,
      importedAt: expect.stringMatching(/Z$/),
      status: 'active',
    })
    const block = await world.node.publicClient.getBlock()
    expect(body.metadata).toMatchObject({
      blockNumber: block.number.toString(),
      blockHash: block.hash,
      chainTime: Number(block.timestamp),
    })
    const stored = (await world.get(token)).body.data
    expect(stored).toMatchObject({ assetType: 'CRYPTO_ASSET', imageURI, totalSupply: '1.5', profile: null })
    expect(stored.importedAt).toBe(body.data.importedAt)
  })

  it.each(assetTypes)('takes %s as an asset type', async (assetType) => {
    const { status, body } = await world.import(await world.createCash(), { assetType })
    expect([status, body.data.assetType]).toEqual([200, assetType])
  })

  it('takes an image that is empty or left out as none', async () => {
    for (const request of [{}, { imageURI: '' }]) {
      const { status, body } = await world.import(await world.createCash(), request)
      expect([status, body.data.imageURI]).toEqual([200, null])
    }
  })

  it.each<[string, Record<string, unknown>]>([
    ['INVALID_ADDRESS', { tokenAddress: '0x12' }],
    ['INVALID_ADDRESS', { tokenAddress: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['INVALID_ADDRESS', { tokenAddress: null }],
    ['INVALID_ASSET_TYPE', { assetType: 'STOCK' }],
    ['INVALID_ASSET_TYPE', { assetType: 'bond' }],
    ['INVALID_ASSET_TYPE', { assetType: undefined }],
    ['INVALID_IMAGE_URI', { imageURI: 'http://a.example/i.png' }],
    ['INVALID_IMAGE_URI', { imageURI: 'javascript:alert(1)' }],
    ['INVALID_IMAGE_URI', { imageURI: 'https://a.example/\uD800' }],
    ['INVALID_IMAGE_URI', { imageURI: `https://a.example/${'x'.repeat(1_007)}` }],
    ['INVALID_IMAGE_URI', { imageURI: null }],
    ['VALIDATION_ERROR', { name: 'My own name' }],
  ])('answers %s for %j and writes nothing', async (code, request) => {
    const token = await world.createCash()
    const before = await world.everyImport()
    const { status, body } = await world.import(token, request)
    expect([status, body.error.code]).toEqual([400, code])
    expect(await world.everyImport()).toEqual(before)
  })

  it('takes an image of exactly 1024 characters', async () => {
    const imageURI = 'https://a.example/'.padEnd(1_024, 'x')
    const { status, body } = await world.import(await world.createCash(), { imageURI })
    expect([status, body.data.imageURI]).toEqual([200, imageURI])
  })

  it('answers ALREADY_IMPORTED for a token with an active import, whatever the case of its address', async () => {
    const token = await world.createImport()
    for (const written of [token, getAddress(token)]) {
      const { status, body } = await world.import(written)
      expect([status, body.error.code]).toEqual([400, 'ALREADY_IMPORTED'])
    }
  })

  it('lets one of several simultaneous imports of a token pass', async () => {
    const token = await world.createCash()
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.import(token)))
    const outcomes = answers.map(({ body }) => body.error?.code ?? 'imported').sort()
    expect(outcomes).toEqual([...Array<string>(4).fill('ALREADY_IMPORTED'), 'imported'])
    expect((await listed(world.instance)).filter((address) => address === token)).toHaveLength(1)
  })

  it('lets two instances import the same token independently', async () => {
    const token = await world.createImport()
    const other = await world.createInstance()
    expect((await importAs(other, token)).status).toBe(200)
    expect(await listed(other)).toEqual([token])
  })

  it('starts afresh when a revoked token is imported again', async () => {
    const token = await world.createCash()
    const first = await world.import(token, { assetType: 'ART', imageURI: 'https://a.example/i.png' })
    const profile = { issuerName: 'Alpine Uhren AG' }
    await world.instance.call('PUT', `${TOKENS}/${token}/profile`, { body: { profile } })
    await world.instance.call('DELETE', `${TOKENS}/${token}`)
    world.clock.advance(1_000)
    expect((await world.import(token)).status).toBe(200)
    const { body } = await world.get(token)
    expect(body.data).toMatchObject({ assetType: 'BOND', imageURI: null, profile: null })
    expect(body.data.importedAt > first.body.data.importedAt).toBe(true)
    const rows = (await world.everyImport()).filter((row) => row.token_address === token)
    expect(rows.map(({ status, profile }) => [status, profile])).toEqual([
      ['REVOKED', profile],
      ['ACTIVE', null],
    ])
  })

  describe('at the limit of 200 active imports', () => {
    it('answers IMPORT_LIMIT_REACHED for the 201st, until one is revoked', async () => {
      const instance = await world.createInstance()
      await fillImports(world.superuser, instance.instanceId, 10, 'REVOKED')
      await fillImports(world.superuser, instance.instanceId, 199)
      const [last, tooMany] = [await world.createCash(), await world.createCash()]
      expect((await importAs(instance, last)).status).toBe(200)
      const { status, body } = await importAs(instance, tooMany)
      expect([status, body.error.code]).toEqual([400, 'IMPORT_LIMIT_REACHED'])
      expect(await listed(instance)).toHaveLength(200)
      await instance.call('DELETE', `${TOKENS}/${last}`)
      expect((await importAs(instance, tooMany)).status).toBe(200)
    })

    it('lets exactly one of five simultaneous imports take the last place', async () => {
      const instance = await world.createInstance()
      await fillImports(world.superuser, instance.instanceId, 199)
      const tokens: string[] = []
      for (let count = 0; count < 5; count++) tokens.push(await world.createCash())
      const answers = await Promise.all(tokens.map((token) => importAs(instance, token)))
      const outcomes = answers.map(({ body }) => body.error?.code ?? 'imported').sort()
      expect(outcomes).toEqual([...Array<string>(4).fill('IMPORT_LIMIT_REACHED'), 'imported'])
      expect(await listed(instance)).toHaveLength(200)
    })

    it('does not count the imports of others', async () => {
      const [full, other] = [await world.createInstance(), await world.createInstance()]
      await fillImports(world.superuser, full.instanceId, 200)
      expect((await importAs(other, await world.createCash())).status).toBe(200)
    })
  })
})

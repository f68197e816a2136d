import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createLendingWorld, type LendingWorld } from '../../test/lending/lending-world.ts'
import { createWorld, type World } from '../../test/world.ts'
import { descriptorSchema } from './schema.ts'

const PLACE = '/.well-known/erc7730'

describe('GET /.well-known/erc7730', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('lists every descriptor, to anybody', async () => {
    const { status, headers, body } = await world.call('GET', `${PLACE}/index.json`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body).toMatchObject({ standard: 'ERC-7730', schema: `${PLACE}/schema.json` })
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(descriptorSchema)
    expect(body.descriptors.length).toBeGreaterThan(10)
    for (const { descriptor, contractName, functions } of body.descriptors) {
      const one = await world.call('GET', descriptor)
      expect(isValid(one.body), JSON.stringify(isValid.errors)).toBe(true)
      expect(one.body.metadata.contractName).toBe(contractName)
      expect(Object.keys(one.body.display.formats)).toEqual(functions)
    }
    expect((await world.call('GET', `${PLACE}/schema.json`)).body).toEqual(JSON.parse(JSON.stringify(descriptorSchema)))
  })

  it('binds a descriptor to the contracts on record, and follows the record', async () => {
    const deployments = async () =>
      (await world.call('GET', `${PLACE}/LendingFactory.json`)).body.context?.contract.deployments
    expect(await deployments()).toEqual([{ chainId: 31_337, address: inject('lendingFactory') }])
    const market = await world.call('GET', `${PLACE}/LendingMarket.json`)
    expect(market.body.context.contract.factory.deployments).toEqual(await deployments())
    await world.database.as(
      'tally_operator',
      (sql) => sql`delete from deployed_contracts where name = 'LendingFactory'`,
    )
    expect(await deployments()).toHaveLength(1)
    world.clock.advance(10_000)
    expect(await deployments()).toBeUndefined()
  })

  it('answers 304 to whoever has the document already', async () => {
    const { headers } = await world.call('GET', `${PLACE}/Token.json`)
    const known = { 'if-none-match': String(headers.etag) }
    const again = await world.call('GET', `${PLACE}/Token.json`, { headers: known })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await world.call('GET', `${PLACE}/LendingMarket.json`, { headers: known })).status).toBe(200)
  })

  it('knows no other document', async () => {
    for (const name of ['Nothing.json', 'index', '..%2f..%2fpackage.json'])
      expect((await world.call('GET', `${PLACE}/${name}`)).status, name).toBe(404)
  })
})

describe('GET /.well-known/erc7730/{chainId}/{market}.json', () => {
  let world: LendingWorld
  beforeAll(async () => {
    world = await createLendingWorld()
  })
  afterAll(() => world.close())

  it('is the descriptor of one market, with its tokens', async () => {
    const { marketAddress } = await world.deployMarket()
    const at = (chainId: number | string, address: string) => world.call('GET', `${PLACE}/${chainId}/${address}.json`)
    const { status, body, headers } = await at(world.node.chainId, marketAddress)
    expect(status).toBe(200)
    expect(body.context.contract.deployments).toEqual([{ chainId: world.node.chainId, address: marketAddress }])
    expect(body.metadata.constants).toEqual({ borrowAsset: world.cash, collateralToken: world.security.token })
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(descriptorSchema)
    expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true)
    const again = await world.call('GET', `${PLACE}/${world.node.chainId}/${marketAddress}.json`, {
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.status).toBe(304)
    for (const [chainId, address] of [
      [1, marketAddress],
      [world.node.chainId, world.cash],
      ['all', marketAddress],
      [world.node.chainId, 'LendingMarket'],
    ] as const)
      expect((await at(chainId, address)).status, `${chainId} ${address}`).toBe(404)
  })

  it('is read once for everybody who asks within ten seconds, known or not', async () => {
    const { marketAddress } = await world.deployMarket({ mode: 'CUSTODY' })
    const statusOf = async (address: string) =>
      (await world.call('GET', `${PLACE}/${world.node.chainId}/${address}.json`)).status
    expect([await statusOf(world.cash), await statusOf(marketAddress)]).toEqual([404, 404])
    world.clock.advance(10_000)
    expect(await statusOf(marketAddress)).toBe(200)
    await world.database.as(
      'tally_operator',
      (sql) => sql`delete from deployed_contracts where name = 'LendingFactory'`,
    )
    expect(await statusOf(marketAddress)).toBe(200)
    world.clock.advance(10_000)
    expect(await statusOf(marketAddress)).toBe(404)
  })
})

import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { deploy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestInstance, type World } from '../../test/world.ts'

describe('GET /external-tokens/api/list', () => {
  let world: World
  let instance: TestInstance

  beforeAll(async () => {
    world = await createWorld()
    instance = await world.createInstance()
  })
  afterAll(() => world.close())

  it('answers a bare array of import records, newest first', async () => {
    const owner = world.chain.accounts[0]?.address
    const addresses: string[] = []
    for (const symbol of ['AAA', 'BBB']) {
      const address = await deploy(world.chain, {
        abi: demoCashAbi,
        bytecode: demoCashBytecode,
        args: [`Token ${symbol}`, symbol, 6, owner],
      })
      addresses.push(address.toLowerCase())
      const answer = await instance.call('POST', '/external-tokens/api/import', {
        body: { tokenAddress: address, assetType: 'BOND' },
      })
      expect(answer.status).toBe(200)
    }
    const { status, body } = await instance.call('GET', '/external-tokens/api/list')
    expect(status).toBe(200)
    expect(body.data.map((one: { symbol: string }) => one.symbol)).toEqual(['BBB', 'AAA'])
    expect(body.data[0]).toEqual({
      tokenAddress: addresses[1],
      name: 'Token BBB',
      symbol: 'BBB',
      decimals: 6,
      framework: 'erc20',
      assetType: 'BOND',
      imageURI: null,
      totalSupply: '0',
      metadata: {},
      importedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      instanceId: instance.instanceId,
    })
  })
})

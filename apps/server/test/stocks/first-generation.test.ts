import { readFileSync } from 'node:fs'
import { stockFactoryAbi } from '@tallystick/abi'
import { send, wallet } from '@tallystick/testkit'
import { type Address, encodeAbiParameters, type Hex, stringToHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStocksWorld, must, type Party, STOCKS, type StocksWorld, shares } from './stocks-world.ts'

const lower = (index: number) => wallet(index).address.toLowerCase() as Address
const anna = lower(3)
const bank = wallet(6)
const libraries = ['RefusalModule', 'ControlModule', 'IssuanceModule', 'SetupModule', 'SplitModule'] as const

/** Creation code as it was released, and where others expect it. */
function released(name: string): { bytecode: Hex; linkedAt?: Address } {
  const file = new URL(`../../../../contracts/test/fixtures/stocks/released/${name}.1.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

describe('a stock token of the first generation', () => {
  let world: StocksWorld
  let token: Address
  let party: Party

  beforeAll(async () => {
    world = await createStocksWorld()
    const create = async (data: Hex) => {
      const hash = await world.node.walletClient.sendTransaction({ data })
      const { contractAddress } = await world.node.publicClient.waitForTransactionReceipt({ hash })
      return contractAddress as Address
    }
    const factory = world.suite.stockFactory
    for (const name of libraries) {
      const { bytecode, linkedAt } = released(name)
      const code = await world.node.publicClient.getCode({ address: await create(bytecode) })
      await world.node.testClient.setCode({ address: linkedAt as Address, bytecode: code as Hex })
    }
    for (const [name, kind] of [
      ['StockToken', 'stockToken'],
      ['ComplianceModule', 'complianceModule'],
    ] as const) {
      const argument = encodeAbiParameters([{ type: 'address' }], [factory])
      const implementation = await create(`${released(name).bytecode}${argument.slice(2)}`)
      const args = [stringToHex(kind, { size: 32 }), implementation]
      await send(world.node, { address: factory, abi: stockFactoryAbi, functionName: 'setImplementation', args })
    }
    await world.verify(anna, lower(6))
    const deployed = await world.deployStock({ allowSubIssuers: true })
    token = deployed.token
    party = await world.createParty(bank)
    must(await party.post(`${STOCKS}/tokenization/deploy`, { txHash: deployed.txHash }))
    await world.onToken(token, 'issue', [anna, shares(100), zeroHash])
    await world.onToken(token, 'addSubIssuer', [bank.address])
    await world.onToken(token, 'issue', [bank.address, shares(10), zeroHash], bank)
  })
  afterAll(() => world.close())

  const fetched = async (path: string) => must(await world.issuer.get(`${STOCKS}/fetch/${path}`)).body.data

  it('is shown, without a registry that it could announce', async () => {
    expect(await fetched(`token/${token}`)).toMatchObject({ totalSupply: '110', announcedRegistry: null })
  })

  it('says which rule refuses', async () => {
    expect(await fetched(`${token}/can-transfer?from=${anna}&to=${lower(6)}&amount=101`)).toMatchObject({
      rule: 'INSUFFICIENT_BALANCE',
      module: null,
    })
    await world.onToken(token, 'setDefaultLimits', [shares(105), 0n])
    expect(await fetched(`${token}/can-transfer?from=${lower(6)}&to=${anna}&amount=6`)).toMatchObject({
      rule: 'RECIPIENT_EXCEEDS_MAX',
      module: (await fetched(`token/${token}`)).complianceModule,
    })
  })

  it('still lets a sub-issuer redeem from others, and switched off as well: the forecast says what it would do', async () => {
    const build = async () =>
      must(await party.post(`${STOCKS}/tokenization/${token}/redeem`, { account: anna, amount: '1' })).body.data
    const able = { signerAddress: lower(6), simulation: { success: true } }
    expect(await build()).toMatchObject(able)
    await world.onToken(token, 'setSubIssuersAllowed', [false])
    expect(await build()).toMatchObject(able)
  })

  it('is upgraded to what the factory serves, and goes on', async () => {
    const { suite } = world
    const args = [stringToHex('stockToken', { size: 32 }), suite.stockToken]
    await send(world.node, {
      address: suite.stockFactory,
      abi: stockFactoryAbi,
      functionName: 'setImplementation',
      args,
    })
    await world.onToken(token, 'upgradeToAndCall', [suite.stockToken, '0x'])
    expect(await fetched(`token/${token}`)).toMatchObject({ totalSupply: '110', announcedRegistry: null })
    await world.onToken(token, 'setSubIssuersAllowed', [true])
    const built = must(await party.post(`${STOCKS}/tokenization/${token}/redeem`, { account: anna, amount: '1' }))
    expect(built.body.data.simulation).toMatchObject({ revert: { code: 'INSUFFICIENT_ALLOWANCE' } })
  })
})

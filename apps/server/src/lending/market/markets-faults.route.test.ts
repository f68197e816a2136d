import { lendingFactoryAbi } from '@tallystick/abi'
import { send, type TcpProxy, tcpProxy } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'

const DEPLOY = `${V2}/markets/deploy`

describe('markets on a chain that fails', () => {
  let cut: TcpProxy
  let world: LendingWorld
  let txHash: string
  let marketId: string

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        cut = await tcpProxy(node.url)
        return [cut.url]
      },
    })
    const deployed = await world.deployMarket()
    txHash = deployed.txHash
    marketId = deployed.marketId
    await cut.cut()
  })
  afterAll(async () => {
    await cut.stop()
    await world.close()
  })

  const outcome = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await world.deployer.call(method, path, body === undefined ? {} : { body })
    return [answer.status, answer.body.error?.code, answer.headers['retry-after']]
  }

  it('are not built, not confirmed, not listed as if there were none', async () => {
    expect(await outcome('POST', DEPLOY, world.deployBody({ mode: 'CUSTODY' }))).toEqual([
      503,
      'FACTORY_READ_FAILED',
      '1',
    ])
    const confirm = { collateralTokenAddress: world.security.token, txHash }
    expect(await outcome('POST', DEPLOY, confirm)).toEqual([503, 'CHAIN_UNAVAILABLE', '1'])
    expect(await outcome('GET', `${V2}/markets?includeOnChain=true`)).toEqual([503, 'MARKET_STATE_UNAVAILABLE', '1'])
    expect(await outcome('GET', `${V2}/markets/${marketId}`)).toEqual([503, 'MARKET_STATE_UNAVAILABLE', '1'])
  })

  it('are still listed from the record, and the options say that the factory could not be read', async () => {
    expect(must(await world.deployer.get(`${V2}/markets`)).body.data.markets).toHaveLength(1)
    const { data } = must(await world.deployer.get(`${V2}/markets/deployment-options`)).body
    expect(data.factory).toEqual({ address: null, creatorRateCeilingBps: null, openFeeRaw: null, repayFeeRaw: null })
  })
})

describe('markets on a chain that answers', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let marketId: string

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    marketId = (await world.deployMarket()).marketId
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  it.each([
    ['one market', () => `${V2}/markets/${marketId}`],
    ['all markets', () => `${V2}/markets?includeOnChain=true`],
    ['the options of a deployment', () => `${V2}/markets/deployment-options`],
  ])('cost one round trip for %s', async (_name, path) => {
    proxy.requests.length = 0
    must(await world.deployer.get(path()))
    expect(proxy.requests).toHaveLength(1)
  })

  it('show the fees that the factory stamps on new markets, and the assets that the instance imported', async () => {
    await send(world.node, {
      address: world.suite.factory,
      abi: lendingFactoryAbi,
      functionName: 'setDefaultFees',
      args: [5_000_000n, 2_000_000n],
    })
    const { data } = must(await world.deployer.get(`${V2}/markets/deployment-options`)).body
    expect(data.factory).toMatchObject({ address: world.suite.factory, openFeeRaw: '5000000', repayFeeRaw: '2000000' })
    await world.importToken(world.deployer, world.cash, null)
    const { assets } = must(await world.deployer.get(`${V2}/markets/borrow-assets`)).body.data
    expect(assets).toMatchObject([{ symbol: 'USDX', decimals: 6, isDefault: true }])
    expect(assets[0].address.toLowerCase()).toBe(world.cash)
  })

  it('are not listed for a question that is put twice', async () => {
    const answer = await world.deployer.get(`${V2}/markets?includeOnChain=true&includeOnChain=false`)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('say when a market does not answer as one, instead of making figures up', async () => {
    const [{ router = '' } = {}] = await world.superuser`select router from lending_markets`
    const code = await world.node.publicClient.getCode({ address: router })
    await world.node.testClient.setCode({ address: router, bytecode: '0x' })
    const got = must(await world.deployer.get(`${V2}/markets/${marketId}`)).body.data
    expect(got.onChain).toEqual({ isOnChain: false, readFailed: true })
    await world.node.testClient.setCode({ address: router, bytecode: code ?? '0x' })
  })

  it('are gone when a reorganization took the deployment away, and back when it is mined again', async () => {
    await world.follow()
    expect(must(await world.deployer.get(`${V2}/markets`)).body.data.markets).toHaveLength(1)
    const head = await world.node.publicClient.getBlockNumber()
    const [{ block = '0' } = {}] = await world.superuser`select deployed_block::text as block from lending_markets`
    const depth = Number(head - BigInt(block)) + 1
    await world.node.testClient.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await world.follow()
    expect(must(await world.deployer.get(`${V2}/markets`)).body.data.markets).toEqual([])
    expect(must(await world.deployer.get(`${V2}/markets/${marketId}`)).body.data.onChain).toBeNull()
  })
})

describe('markets where the operator recorded no factory', () => {
  it('cannot be deployed or confirmed, and the sentence says whose turn it is', async () => {
    const world = await createLendingWorld()
    await world.superuser`delete from deployed_contracts`
    for (const txHash of [undefined, `0x${'1'.repeat(64)}`]) {
      const answer = await world.deployer.post(DEPLOY, { ...world.deployBody(), txHash })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'LENDING_NOT_CONFIGURED'])
    }
    const { data } = must(await world.deployer.get(`${V2}/markets/deployment-options`)).body
    expect(data.factory.address).toBeNull()
    await world.close()
  })
})

describe('a market whose collateral burns every gas it is given', () => {
  let world: LendingWorld
  beforeAll(async () => {
    world = await createLendingWorld()
  })
  afterAll(() => world.close())

  it('is confirmed all the same, by what its import says of it', async () => {
    const { deployer, security } = world
    const body = world.deployBody()
    const txHash = await world.sign(deployer.wallet, await deployer.post(DEPLOY, body))
    // jumpdest, push 0, jump: it never ends.
    await world.node.testClient.setCode({ address: security.token, bytecode: '0x5b5f56' })
    const confirm = { collateralTokenAddress: security.token, txHash }
    const { market } = must(await deployer.post(DEPLOY, confirm)).body.data
    expect(market).toMatchObject({ collateralTokenSymbol: 'NORD', collateralDecimals: 18 })
  })
})

import { stockTokenAbi } from '@tallystick/abi'
import { wallet } from '@tallystick/testkit'
import { type Address, decodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer } from '../world.ts'
import { must, V2 } from './lending-world.ts'
import { createMarketLife, type LiveMarket } from './market-life.ts'
import {
  createStock,
  createStockLendingWorld,
  STOCK_LENDING,
  type Stock,
  type StockLendingWorld,
} from './stock-world.ts'

const REVERTS: Hex = '0x60006000fd'
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

/** Which markets the prefix for stocks has, and what the token side of one asks for. */
describe('markets on stocks of our own', () => {
  let world: StockLendingWorld
  let stock: Stock

  beforeAll(async () => {
    world = await createStockLendingWorld()
    await world.recordStockFactory()
    stock = await createStock(world)
  })
  afterAll(() => world.close())

  const deploy = (request: Record<string, unknown>, prefix = STOCK_LENDING) =>
    world.deployer.post(`${prefix}/markets/deploy`, request)
  const onStock = (request: Record<string, unknown> = {}) =>
    world.deployBody({ collateralTokenAddress: stock.token, ...request })
  const listed = async (prefix: string): Promise<string[]> =>
    must(await world.deployer.get(`${prefix}/markets`)).body.data.markets.map(
      ({ marketAddress }: { marketAddress: string }) => marketAddress,
    )
  const shownAt = async (prefix: string, marketId: string) =>
    refusal(await world.deployer.get(`${prefix}/markets/${marketId}`))
  async function withCode<T>(address: Address, bytecode: Hex, work: () => Promise<T>): Promise<T> {
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode })
    return work().finally(() => world.node.testClient.setCode({ address, bytecode: code ?? '0x' }))
  }

  describe('deploying one', () => {
    let forgotten: { marketId: string; marketAddress: Address; txHash: Hex }

    it('takes no other token on the prefix for stocks, neither to build nor to confirm', async () => {
      const refused = await deploy(world.deployBody())
      expect(refusal(refused)).toEqual([400, 'NOT_A_STOCK_TOKEN'])
      expect(refused.body.error.message).toContain('no stock token of this deployment')
      const txHash = await world.sign(world.deployer.wallet, await deploy(world.deployBody(), V2))
      const report = { collateralTokenAddress: world.security.token, txHash }
      expect(refusal(await deploy(report))).toEqual([400, 'NOT_A_STOCK_TOKEN'])
      expect(await listed(V2)).toEqual([])
      const { market } = must(await deploy(report, V2)).body.data
      expect([await listed(V2), await listed(STOCK_LENDING)]).toEqual([[market.marketAddress], []])
      expect(await shownAt(STOCK_LENDING, market.id)).toEqual([404, 'MARKET_NOT_FOUND'])
      const history = `${STOCK_LENDING}/positions/${market.id}/price-history`
      expect(refusal(await world.deployer.get(history))).toEqual([404, 'MARKET_NOT_FOUND'])
    })

    it('takes a stock on every prefix, and shows it on all of them', async () => {
      const own = await world.deployMarket(onStock(), STOCK_LENDING)
      const request = onStock({ mode: 'CUSTODY', borrowAssetAddress: await world.createCash('EURX') })
      const other = await world.deployMarket(request)
      expect(await listed(STOCK_LENDING)).toEqual([other.marketAddress, own.marketAddress])
      expect(await listed(V2)).toHaveLength(3)
      const { markets } = must(await world.lender.get(`${STOCK_LENDING}/markets/queued`)).body.data
      expect(new Set(markets.map(({ marketAddress }: { marketAddress: string }) => marketAddress))).toEqual(
        new Set([own.marketAddress, other.marketAddress]),
      )
    })

    it('knows no stock while no factory is on record', async () => {
      await world.superuser`delete from deployed_contracts where name = 'StockFactory'`
      const borrowAssetAddress = await world.createCash('GBPX')
      expect(refusal(await deploy(onStock({ borrowAssetAddress })))).toEqual([400, 'NOT_A_STOCK_TOKEN'])
      forgotten = await world.deployMarket(onStock({ borrowAssetAddress }))
      expect(await shownAt(V2, forgotten.marketId)).toEqual([200, undefined])
      expect(await shownAt(STOCK_LENDING, forgotten.marketId)).toEqual([404, 'MARKET_NOT_FOUND'])
    })

    it('knows it once the factory is on record and the deployment is confirmed again', async () => {
      await world.recordStockFactory()
      const { marketId, txHash } = forgotten
      expect(await shownAt(STOCK_LENDING, marketId)).toEqual([404, 'MARKET_NOT_FOUND'])
      must(await deploy({ collateralTokenAddress: stock.token, txHash }, V2))
      expect(await shownAt(STOCK_LENDING, marketId)).toEqual([200, undefined])
    })

    it('says so when the factory of stocks does not answer', async () => {
      const borrowAssetAddress = await world.createCash('CHFX')
      const built = await deploy(onStock({ borrowAssetAddress }))
      const txHash = await world.sign(world.deployer.wallet, built)
      const report = { collateralTokenAddress: stock.token, txHash }
      await withCode(world.stockSuite.stockFactory, REVERTS, async () => {
        expect(refusal(await deploy(onStock({ borrowAssetAddress })))).toEqual([503, 'FACTORY_READ_FAILED'])
        expect(refusal(await deploy(report))).toEqual([503, 'DEPLOYMENT_UNREADABLE'])
        expect(refusal(await deploy(report, V2))).toEqual([503, 'DEPLOYMENT_UNREADABLE'])
      })
      must(await deploy(report))
    })
  })

  describe('admitting its contracts', () => {
    let life: ReturnType<typeof createMarketLife>
    let custody: LiveMarket
    let frozen: LiveMarket

    beforeAll(async () => {
      life = createMarketLife(world)
      const borrowAssetAddress = await world.createCash('SEKX')
      await stock.know([world.deployer.wallet.address])
      const request = { collateralTokenAddress: stock.token, borrowAssetAddress }
      custody = await life.adopted({ ...request, mode: 'CUSTODY' })
      frozen = await life.adopted({ ...request, mode: 'FREEZE' })
    })

    const at = ({ marketId }: LiveMarket, rest: string) => `${STOCK_LENDING}/markets/${marketId}/${rest}`
    const read = async (market: LiveMarket, rest: string) => must(await world.deployer.get(at(market, rest))).body.data
    const configure = async (market: LiveMarket, action: string) =>
      must(await world.deployer.post(at(market, 'configure'), { action })).body.data
    const callOf = (data: Hex) => decodeFunctionData({ abi: stockTokenAbi, data })
    const lower = (text: unknown) => String(text).toLowerCase()

    it('asks the issuer for the list of the token under the keys of the register', async () => {
      const owner = world.deployer.wallet.address.toLowerCase()
      const { steps, calldata } = await read(custody, 'setup-steps')
      expect(steps.slice(1, 3)).toMatchObject([
        {
          key: 'verifyAdapterAsHolder',
          requiredRole: 'IDENTITY_REGISTRY_AGENT',
          target: stock.token,
          subject: custody.adapter,
          done: false,
          blockedCode: null,
        },
        { key: 'verifyRouterAsHolder', requiredRole: 'IDENTITY_REGISTRY_AGENT', target: stock.token, done: false },
      ])
      expect(Object.keys(calldata)).toEqual(['verifyAdapterAsHolder', 'verifyRouterAsHolder'])
      const { to, data, description } = calldata.verifyAdapterAsHolder
      expect([to, description]).toEqual([
        stock.token,
        `Put the adapter on the token's list of contracts. Signed by TOKEN_COMPLIANCE_ADMIN (${owner}).`,
      ])
      const { functionName, args } = callOf(data)
      expect([functionName, ...(args ?? []).map(lower)]).toEqual(['addAuthorizedContract', custody.adapter])

      const freezing = await read(frozen, 'setup-steps')
      expect(freezing.steps.slice(1, 3).map(({ key }: { key: string }) => key)).toEqual([
        'grantAdapterAgentRole',
        'verifyRouterOnRegistry',
      ])
      expect(Object.keys(freezing.calldata)).toEqual(['grantAdapterAgentRole', 'verifyRouterAsHolder'])
      expect(callOf(freezing.calldata.grantAdapterAgentRole.data).functionName).toBe('addAgent')
      expect(callOf(freezing.calldata.verifyRouterAsHolder.data).functionName).toBe('addAuthorizedContract')
    })

    it('tells the same as a checklist, and a loan what its adapter lacks', async () => {
      expect(await read(custody, 'configuration-status')).toMatchObject({
        fullyConfigured: false,
        collateralAuthStatus: {
          mode: 'CUSTODY',
          adapterAuthorized: false,
          requirement: 'adapter_must_be_authorized_contract',
          authorizedVia: null,
          identityRegistry: world.stockSuite.identityRegistry,
        },
        routerHolderAuthorized: false,
        configurationCalldata: {
          authorizeAdapterOnToken: { requiredAuthority: 'TOKEN_COMPLIANCE_ADMIN', heldByThisInstance: true },
          authorizeRouterOnToken: {},
        },
      })
      const { address } = world.deployer.wallet
      const refused = await world.deployer.post(`${STOCK_LENDING}/positions/${custody.marketId}/open-loan`, {
        collateralAmount: '10',
        borrowAmount: '100',
        borrowerAddress: address,
      })
      expect(refusal(refused)).toEqual([400, 'COLLATERAL_ADAPTER_NOT_AUTHORIZED'])
      expect(refused.body.error.details).toEqual({
        adapterAddress: custody.adapter,
        requirement: 'AUTHORIZED_CONTRACT',
      })
      expect((await read(custody, 'setup-steps')).operable).toBe(false)
    })

    it('builds and proves it under the name of the step and under its own', async () => {
      const built = await configure(custody, 'verifyAdapterAsHolder')
      expect(built).toMatchObject({
        action: 'authorizeAdapterOnToken',
        subject: custody.adapter,
        simulation: { success: true },
        confirmWith: { endpoint: at(custody, 'confirm-configuration'), body: { action: 'authorizeAdapterOnToken' } },
      })
      const txHash = await world.sendRaw(wallet(0), built.configurationCalldata.authorizeAdapterOnToken)
      for (const action of ['authorizeAdapterOnToken', 'verifyAdapterAsHolder', undefined]) {
        const body = { txHash, ...(action ? { action } : {}) }
        const { data } = must(await world.deployer.post(at(custody, 'confirm-configuration'), body)).body
        expect([action, data]).toMatchObject([
          action,
          {
            action: 'authorizeAdapterOnToken',
            collateralAuthStatus: { adapterAuthorized: true, authorizedVia: 'token_authorized_contract' },
          },
        ])
      }
      expect(await configure(custody, 'verifyAdapterAsHolder')).toMatchObject({
        requiresUserAction: false,
        alreadyAuthorized: true,
      })
      const router = await configure(frozen, 'verifyRouterOnRegistry')
      expect(router).toMatchObject({ action: 'authorizeRouterOnToken', subject: frozen.router })
      const agent = await configure(frozen, 'grantAdapterAgentRole')
      expect(agent.simulation).toMatchObject({ success: true })
      await world.sendRaw(wallet(0), agent.configurationCalldata.grantAgentRoleToAdapter)
      expect((await read(frozen, 'configuration-status')).collateralAuthStatus).toMatchObject({
        adapterAuthorized: true,
        requirement: 'adapter_must_hold_agent_role',
      })
    })

    it('lets the register do as well, and is unsure when neither answers', async () => {
      await stock.know([custody.router])
      expect((await read(custody, 'setup-steps')).operable).toBe(true)
      const path = `${STOCK_LENDING}/liquidations/${custody.marketId}/config`
      expect(must(await world.deployer.get(path)).body.data).toMatchObject({
        routerTokenEligible: true,
        routerTokenRequirement: 'adapter_must_be_verified_holder',
      })
      await withCode(world.stockSuite.identityRegistry, REVERTS, async () => {
        expect(await read(custody, 'configuration-status')).toMatchObject({
          readFailed: true,
          collateralAuthStatus: { adapterAuthorized: true },
          routerHolderAuthorized: null,
        })
      })
    })

    it('knows every issuer of the token as one who can sign', async () => {
      const second = wallet(9)
      const ISSUER_ROLE = await stock.view<Hex>('ISSUER_ROLE', [])
      const on = [stock.token, stockTokenAbi] as const
      const held = async () => {
        const { configurationCalldata } = must(await world.deployer.get(at(frozen, 'configuration-status'))).body.data
        return configurationCalldata.authorizeRouterOnToken.heldByThisInstance
      }
      expect(await held()).toBe(true)
      await life.call(...on, 'grantRole', [ISSUER_ROLE, second.address])
      await life.call(...on, 'renounceRole', [ISSUER_ROLE])
      expect(await held()).toBe(false)
      expect(lower(await stock.view('owner', []))).toBe(lower(second.address))
      await life.call(...on, 'grantRole', [ISSUER_ROLE, world.deployer.wallet.address])
      // The owner is still the other one.
      expect(lower(await stock.view('owner', []))).toBe(lower(second.address))
      expect(await held()).toBe(true)
    })
  })
})

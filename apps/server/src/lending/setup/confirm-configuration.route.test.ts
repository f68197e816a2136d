import { demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { deploySafe, wallet } from '@tallystick/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'
import { roles } from '../core/index.ts'

describe('confirming a configuration', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    const others = { liquidator: wallet(5).address, priceSigner: wallet(5).address, oracleOwner: wallet(4).address }
    market = await life.adopted({}, { terms: others })
  })
  afterAll(() => world.close())

  const confirm = (body: object) => world.deployer.post(`${V2}/markets/${market.marketId}/confirm-configuration`, body)
  const build = async (action: string) => {
    const built = must(await world.deployer.post(`${V2}/markets/${market.marketId}/configure`, { action }))
    return Object.values(built.body.data.configurationCalldata)[0] as { to: `0x${string}`; data: Hex }
  }
  const refusal = async (body: object) => {
    const answer = await confirm(body)
    return [answer.status, answer.body.error?.code]
  }

  it('only reads without a transaction', async () => {
    const { data } = must(await confirm({})).body
    expect(data).toMatchObject({
      fullyConfigured: false,
      collateralAuthStatus: { adapterAuthorized: false },
      routerHolderAuthorized: false,
      oracleSignerAuthorized: false,
      liquidatorRoleGranted: false,
      pendingCurator: false,
      configurationStatus: { routerAuthorized: true },
    })
    expect(data).not.toHaveProperty('txHash')
    expect(must(await confirm({ action: 'grantLiquidatorRole' })).body.data.action).toBe('grantLiquidatorRole')
  })

  it('refuses a call of the right contract for somebody or something else', async () => {
    const { call } = life
    const other = wallet(9).address
    const granted = await call(market.marketAddress, abis.market, 'grantRole', [roles.LIQUIDATOR_ROLE, other])
    const agent = await call(world.security.token, demoSecurityAbi, 'addAgent', [other])
    const registered = await call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [
      other,
      other,
      1,
    ])
    for (const [action, { transactionHash }] of [
      ['grantLiquidatorRole', granted],
      ['grantAgentRoleToAdapter', agent],
      ['verifyRouterAsHolder', registered],
      [undefined, agent],
    ] as const)
      expect(await refusal({ txHash: transactionHash, ...(action ? { action } : {}) })).toEqual([
        400,
        'TX_NOT_VERIFIED',
      ])
    const paused = await call(world.security.token, demoSecurityAbi, 'setAddressFrozen', [other, true])
    expect(await refusal({ txHash: paused.transactionHash, action: 'grantAgentRoleToAdapter' })).toEqual([
      400,
      'TX_WRONG_FUNCTION',
    ])
    // The action is not one of this market's, so nothing could have done it.
    expect(await refusal({ txHash: agent.transactionHash, action: 'verifyAdapterAsHolder' })).toEqual([
      400,
      'TX_WRONG_TARGET',
    ])
    expect(await refusal({ action: 'grantEverything' })).toEqual([400, 'UNSUPPORTED_CONFIGURE_ACTION'])
  })

  it('does not believe a transaction whose effect is gone', async () => {
    const { call } = life
    const txHash = await world.sendRaw(wallet(0), await build('grantAgentRoleToAdapter'))
    await call(world.security.token, demoSecurityAbi, 'removeAgent', [market.adapter])
    expect(await refusal({ txHash, action: 'grantAgentRoleToAdapter' })).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  it('takes down what was done, by name or by itself, until nothing is missing', async () => {
    for (const [action, signer, isNamed] of [
      ['grantAgentRoleToAdapter', wallet(0), true],
      ['verifyRouterAsHolder', wallet(0), false],
      ['authorizeRelayerOnOracle', wallet(4), false],
    ] as const) {
      const txHash = await world.sendRaw(signer, await build(action))
      const { data } = must(await confirm(isNamed ? { txHash, action } : { txHash })).body
      expect(data).toMatchObject({ txHash, action, fullyConfigured: false })
      expect(data).not.toHaveProperty('verifiedBy')
      expect(must(await confirm({ txHash })).body.data).toEqual(data)
    }
    const rows = await world.superuser`select operation from recordings where operation like 'oracle.%'`
    expect(rows).toEqual([{ operation: 'oracle.SignerSet' }])
  })

  it('proves what a Safe did, by the events of the market and by the state of the token', async () => {
    const safe = await deploySafe(world.node, [wallet(3)])
    await life.call(market.marketAddress, abis.market, 'grantRole', [roles.DEFAULT_ADMIN_ROLE, safe.address])
    const { receipt } = await safe.execThroughSafe(await build('grantLiquidatorRole'))
    const granted = must(await confirm({ txHash: receipt.transactionHash })).body.data
    expect(granted).toMatchObject({
      action: 'grantLiquidatorRole',
      verifiedBy: 'receipt-log',
      fullyConfigured: true,
    })
    await life.call(world.security.token, demoSecurityAbi, 'removeAgent', [market.adapter])
    await life.call(world.security.token, demoSecurityAbi, 'transferOwnership', [safe.address])
    const data = encodeFunctionData({ abi: demoSecurityAbi, functionName: 'addAgent', args: [market.adapter] })
    const again = await safe.execThroughSafe({ to: world.security.token, data })
    const txHash = again.receipt.transactionHash
    const body = must(await confirm({ txHash, action: 'grantAdapterAgentRole' })).body.data
    expect(body).toMatchObject({ action: 'grantAgentRoleToAdapter', verifiedBy: 'receipt-log', fullyConfigured: true })
    // The same function through the same Safe, for somebody else.
    const foreign = encodeFunctionData({ abi: demoSecurityAbi, functionName: 'addAgent', args: [wallet(8).address] })
    const third = await safe.execThroughSafe({ to: world.security.token, data: foreign })
    const { transactionHash } = third.receipt
    expect(await refusal({ txHash: transactionHash, action: 'grantAdapterAgentRole' })).toEqual([
      400,
      'TX_NOT_VERIFIED',
    ])
  })

  it('is proven by nothing else than its transaction', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => confirm({ txHash, action: 'grantLiquidatorRole' }),
      target: market.marketAddress,
      other: { abi: abis.market, functionName: 'syncRate' },
    })
  })
})

import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`

describe('the vaults that a market draws on', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: FeesLife
  let market: LiveMarket
  let vault: Address
  let seekingId: string

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createFeesLife(world)
    market = await life.earning({}, 10_000)
    vault = await life.vault(50_000)
    seekingId = (await world.deployMarket({ mode: 'CUSTODY' })).marketId
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const path = (rest = '', marketId = market.marketId) => `${V2}/markets/${marketId}/vault-liquidity${rest}`
  const post = (rest: string, body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path(rest, marketId), body)
  async function refused(rest: string, body: Record<string, unknown>, status: number, code: string, marketId?: string) {
    const answer = await post(rest, body, marketId)
    expect([rest, answer.status, answer.body.error?.code]).toEqual([rest, status, code])
  }
  const status = async () => must(await world.deployer.get(path())).body.data
  const connected = async () =>
    must(await world.deployer.get(`${V2}/markets/${market.marketId}/connected-vaults`)).body.data
  const enact = async (rest: string, body: Record<string, unknown>) => {
    const txHash = await world.sign(world.deployer.wallet, must(await post(rest, body)))
    return must(await post(rest, { ...body, txHash })).body.data
  }

  it('are none at first', async () => {
    expect(await status()).toEqual({
      useVaultLiquidity: false,
      registeredVaults: [],
      inertHalves: {
        enabledWithoutVaults: false,
        registeredButDisabled: false,
        cappedButUnregisteredIsInvisible: true,
      },
    })
    expect(await connected()).toEqual({ useVaultLiquidity: false, vaults: [] })
  })

  it('are registered by the market admin, with warnings about what is still missing', async () => {
    const built = must(await post('/register', { vaultAddress: vault })).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      to: market.marketAddress,
      transaction: { to: market.marketAddress },
      functionName: 'registerVault',
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      heldByThisInstance: true,
      signerAddress: world.deployer.wallet.address.toLowerCase(),
      simulation: { success: true },
    })
    expect(built.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'VAULT_LIQUIDITY_OFF',
      'VAULT_WITHOUT_CAP',
    ])
    expect(await enact('/register', { vaultAddress: vault })).toMatchObject({ registered: true, vaultAddress: vault })
    expect((await status()).inertHalves.registeredButDisabled).toBe(true)
    const twice = must(await post('/register', { vaultAddress: vault })).body.data
    expect(twice.simulation).toMatchObject({ success: false, revert: { error: 'VaultAlreadyRegistered' } })
    const foreign = await life.vault(0, { owner: wallet(2) })
    const other = must(await post('/register', { vaultAddress: foreign })).body.data
    expect(other.warnings.map(({ code }: { code: string }) => code)).toContain('VAULT_OF_OTHER_OPERATOR')
  })

  it('are switched on, capped, drawn on, and shown in the order of draws with what is in the pool', async () => {
    expect(await enact('', { enabled: true })).toMatchObject({ enabled: true, functionName: 'setVaultLiquidity' })
    await life.call(vault, abis.vault, 'announceDrawCap', [market.marketAddress, units(30_000, 6)])
    await life.travelFresh(market, 14 * 86_400)
    await life.call(vault, abis.vault, 'setDrawCap', [market.marketAddress, units(30_000, 6)])
    const second = await life.vault(1_000)
    await enact('/register', { vaultAddress: second })
    await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 25_000 })
    await world.follow()
    proxy.requests.length = 0
    const data = await status()
    expect(proxy.requests).toHaveLength(1)
    const shares = await life.read<bigint>(market.marketAddress, abis.market, 'sharesOf', [vault])
    const value = await life.read<bigint>(market.marketAddress, abis.market, 'toAssets', [shares])
    expect(data.registeredVaults).toEqual([
      {
        vaultAddress: vault,
        drawCap: units(30_000, 6).toString(),
        idleAssets: units(35_000, 6).toString(),
        depositsPaused: false,
        drawnValue: value.toString(),
        inert: false,
      },
      {
        vaultAddress: second,
        drawCap: '0',
        idleAssets: units(1_000, 6).toString(),
        depositsPaused: false,
        drawnValue: '0',
        inert: true,
      },
    ])
    expect(value).toBeGreaterThanOrEqual(units(15_000, 6) - 1n)
    proxy.requests.length = 0
    const { vaults } = await connected()
    expect(proxy.requests).toHaveLength(1)
    expect(vaults).toMatchObject([
      {
        id: null,
        own: false,
        registered: true,
        readFailed: false,
        drawCap: '30000',
        idleAssets: '35000',
        sharePrice: '1',
      },
      {
        registered: true,
        drawCap: '0',
        totalAssets: '1000',
        operatorMatches: true,
        assetMatches: true,
        depositable: true,
      },
    ])
    expect(await enact('/deregister', { vaultAddress: second })).toMatchObject({
      registered: false,
      vaultAddress: second,
    })
  })

  it('are found even when the record has not heard of them yet', async () => {
    const late = await life.vault(500)
    await life.call(market.marketAddress, abis.market, 'registerVault', [late])
    proxy.requests.length = 0
    const { registeredVaults } = await status()
    expect(proxy.requests).toHaveLength(2)
    expect(registeredVaults.map(({ vaultAddress }: { vaultAddress: string }) => vaultAddress)).toEqual([vault, late])
    expect((await connected()).vaults).toHaveLength(2)
    const code = await world.node.publicClient.getCode({ address: late })
    await world.node.testClient.setCode({ address: late, bytecode: '0x' })
    expect((await status()).registeredVaults[1]).toMatchObject({
      drawCap: null,
      idleAssets: null,
      inert: null,
      drawnValue: '0',
    })
    expect((await connected()).vaults[1]).toMatchObject({ vaultAddress: late, readFailed: true, registered: true })
    await world.node.testClient.setCode({ address: late, bytecode: code ?? '0x' })
  })

  it('are refused when they are none, or nobody holds the role yet', async () => {
    const bad = ['0x12', '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266', zeroAddress]
    for (const vaultAddress of bad)
      for (const rest of ['/register', '/deregister']) {
        await refused(rest, { vaultAddress }, 400, 'INVALID_VAULT')
        await refused(rest, { vaultAddress, txHash: HASH }, 400, 'INVALID_VAULT')
      }
    const otherAsset = await life.vault(0, { asset: await world.createCash('EURX') })
    for (const vaultAddress of [wallet(5).address, market.fund, world.cash, otherAsset])
      await refused('/register', { vaultAddress }, 400, 'NOT_A_VAULT')
    for (const rest of ['', '/register', '/deregister']) {
      await refused(rest, {}, 400, 'VALIDATION_ERROR')
      await refused(rest, { txHash: '0x12' }, 400, 'VALIDATION_ERROR')
      const body = rest === '' ? { enabled: true } : { vaultAddress: vault }
      await refused(rest, body, 409, 'MARKET_PENDING_CURATOR', seekingId)
    }
  })

  it('are confirmed by nothing but the effect, through a Safe as well', async () => {
    const target = market.marketAddress
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const callData = encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' })
    const touched = await send(world.node, {
      address: caller,
      abi: callerAbi,
      functionName: 'callAll',
      args: [[{ target, value: 0n, callData }], false],
    })
    for (const rest of ['', '/register', '/deregister']) {
      const confirm = (txHash: Hex) => post(rest, { txHash })
      await expectTransactionFaults(world, { confirm, target, other: { abi: abis.market, functionName: 'syncRate' } })
      await refused(rest, { txHash: touched.transactionHash }, 400, 'TX_NOT_VERIFIED')
    }
    const safe = await deploySafe(world.node, [wallet(4)])
    const zeroRole = `0x${'0'.repeat(64)}`
    await life.call(target, abis.market, 'grantRole', [zeroRole, safe.address])
    const built = must(await post('', { enabled: false })).body.data
    const { receipt } = await safe.execThroughSafe(built.transaction)
    const txHash = receipt.transactionHash
    expect(must(await post('', { txHash })).body.data).toMatchObject({ enabled: false, verifiedBy: 'receipt-log' })
    await refused('', { enabled: true, txHash }, 400, 'TX_NOT_VERIFIED')
  })

  it('are not guessed when the market or the chain does not answer', async () => {
    const address = market.marketAddress
    const list = `${V2}/markets/${market.marketId}/connected-vaults`
    const unreadable = async (method: 'GET' | 'POST', at: string, code: string, body?: Record<string, unknown>) => {
      const answer = await world.deployer.call(method, at, body ? { body } : {})
      expect([at, answer.status, answer.body.error?.code]).toEqual([at, 503, code])
    }
    const everything = async () => {
      await unreadable('GET', path(), 'MARKET_STATE_UNAVAILABLE')
      await unreadable('GET', list, 'VAULTS_UNREADABLE')
      await unreadable('POST', path(), 'MARKET_STATE_UNAVAILABLE', { enabled: true })
      await unreadable('POST', path('/register'), 'MARKET_STATE_UNAVAILABLE', { vaultAddress: vault })
      await unreadable('POST', path('/deregister'), 'MARKET_STATE_UNAVAILABLE', { vaultAddress: vault })
    }
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode: '0x' })
    await everything()
    await world.node.testClient.setCode({ address, bytecode: code ?? '0x' })
    proxy.replaceResponse = { status: 500, body: 'out of order' }
    await everything()
    for (const rest of ['', '/register', '/deregister'])
      await unreadable('POST', path(rest), 'CHAIN_UNAVAILABLE', { txHash: HASH })
    proxy.replaceResponse = undefined
  })
})

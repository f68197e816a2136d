import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal, wrappedSnapshot } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const account = wallet(5).address

describe('roles on the contracts of a market', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  let own: string

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    own = world.deployer.wallet.address.toLowerCase()
  })
  afterAll(() => world.close())

  const path = (name: string, marketId = market.marketId) => `${V2}/markets/${marketId}/${name}`
  const change = (body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path('access-role', marketId), { address: account, action: 'grant', ...body })
  const liquidator = (body: Record<string, unknown>, marketId?: string) =>
    world.deployer.post(path('liquidator-role', marketId), { address: account, action: 'grant', ...body })
  const get = async (role: string, address: string = account) =>
    must(await world.deployer.get(path(`access-role/${address}?role=${role}`))).body.data

  it.each([
    ['MARKET_ADMIN', 'DEFAULT_ADMIN_ROLE', 'marketAddress'],
    ['MARKET_ISSUER', 'ISSUER_ROLE', 'marketAddress'],
    ['MARKET_LIQUIDATOR', 'LIQUIDATOR_ROLE', 'marketAddress'],
    ['ROUTER_ADMIN', 'DEFAULT_ADMIN_ROLE', 'router'],
    ['ROUTER_OPERATOR', 'OPERATOR_ROLE', 'router'],
    ['ORACLE_SIGNER', 'Price signing', 'oracle'],
  ] as const)('%s is given and taken', async (role, roleName, place) => {
    const contract = market[place]
    const subject = { role, roleName, contract, address: account.toLowerCase() }
    expect(await get(role)).toEqual({ ...subject, granted: false, failed: false })
    for (const [action, granted] of [
      ['grant', true],
      ['revoke', false],
    ] as const) {
      const { data } = must(await change({ role, action })).body
      expect(data).toMatchObject({
        ...subject,
        action,
        requiresUserAction: true,
        simulation: { success: true },
        confirmWith: { endpoint: path('access-role'), field: 'txHash' },
        configurationCalldata: {
          accessRole: {
            to: contract,
            value: '0',
            requiredAuthority: role === 'ORACLE_SIGNER' ? 'ORACLE_OWNER' : 'DEFAULT_ADMIN_ROLE',
            heldByThisInstance: true,
            signerAddress: own,
            note: null,
          },
        },
      })
      const { accessRole, liquidatorRole } = data.configurationCalldata
      expect(liquidatorRole).toEqual(role === 'MARKET_LIQUIDATOR' ? accessRole : undefined)
      const txHash = await world.sendRaw(world.deployer.wallet, accessRole)
      expect(must(await change({ role, action, txHash })).body.data).toEqual({
        ...subject,
        action,
        unchanged: false,
        txHash,
        signedBy: own,
      })
      expect((await get(role)).granted).toBe(granted)
      expect(must(await change({ role, action })).body.data).toEqual({
        ...subject,
        action,
        requiresUserAction: false,
        unchanged: true,
        txHash: null,
        message: expect.any(String),
      })
    }
  })

  it('has a route of its own for liquidators', async () => {
    const { data } = must(await liquidator({})).body
    expect(Object.keys(data.configurationCalldata)).toEqual(['liquidatorRole'])
    const txHash = await world.sendRaw(world.deployer.wallet, data.configurationCalldata.liquidatorRole)
    expect(must(await liquidator({ txHash })).body.data).toMatchObject({ role: 'MARKET_LIQUIDATOR', txHash })
    expect(must(await liquidator({})).body.data).toMatchObject({ unchanged: true, txHash: null })
    expectRefusal(await liquidator({ txHash, action: 'revoke' }), 400, 'TX_WRONG_FUNCTION')
    expect(
      (await world.deployer.post(`${path('liquidator-role')}?format=safe`, { address: account, action: 'revoke' })).body
        .transactions,
    ).toHaveLength(1)
  })

  it('says who would have to sign where the instance cannot', async () => {
    const foreign = await life.adopted(
      { borrowAssetAddress: await world.createCash('FORE') },
      { curator: world.lender.wallet },
    )
    for (const role of ['MARKET_ADMIN', 'ORACLE_SIGNER']) {
      const { data } = must(await change({ role }, foreign.marketId)).body
      expect(data.configurationCalldata.accessRole).toMatchObject({
        heldByThisInstance: false,
        signerAddress: null,
        note: expect.any(String),
      })
    }
  })

  it('leaves the owner of the oracle its right to sign', async () => {
    const body = { role: 'ORACLE_SIGNER', address: own, action: 'revoke' }
    expectRefusal(await change(body), 400, 'ORACLE_OWNER_SIGNS')
    expect((await get('ORACLE_SIGNER', own)).granted).toBe(true)
  })

  it('refuses what is no role, no address or no action', async () => {
    for (const bad of [{ role: 'KING' }, { role: 'MARKET_ADMIN', action: 'take' }, { role: 'MARKET_ADMIN', other: 1 }])
      expectRefusal(await change(bad), 400, 'VALIDATION_ERROR')
    expectRefusal(await liquidator({ action: 'take' }), 400, 'VALIDATION_ERROR')
    const txHash = `0x${'1'.repeat(64)}`
    for (const sent of [{}, { txHash }]) {
      expectRefusal(await change({ role: 'MARKET_ADMIN', address: 'x', ...sent }), 400, 'INVALID_ADDRESS')
      expectRefusal(await liquidator({ address: 'x', ...sent }), 400, 'INVALID_ADDRESS')
    }
    const ask = (address: string, query: string) => world.deployer.get(path(`access-role/${address}${query}`))
    for (const query of ['', '?role=', '?role=KING', '?role=toString'])
      expectRefusal(await ask(account, query), 400, 'UNKNOWN_ROLE')
    expectRefusal(await ask('x', '?role=MARKET_ADMIN'), 400, 'INVALID_ADDRESS')
  })

  it('has nobody to sign before there is a lender of record', async () => {
    const { marketId } = await world.deployMarket({ borrowAssetAddress: await world.createCash('SEEK') })
    expectRefusal(await change({ role: 'MARKET_ADMIN' }, marketId), 409, 'MARKET_PENDING_CURATOR')
    expectRefusal(await liquidator({}, marketId), 409, 'MARKET_PENDING_CURATOR')
  })

  it('costs one round trip to ask', async () => {
    expect(await world.roundTrips(() => get('ROUTER_OPERATOR'))).toBe(1)
  })

  it('never takes a failed read for an answer', async () => {
    const unknown = { granted: null, failed: true }
    expect(await world.withoutNode(() => get('MARKET_ADMIN'))).toMatchObject(unknown)
    expect(await world.withBroken(market.oracle, () => get('ORACLE_SIGNER'))).toMatchObject(unknown)
    const builds = [() => change({ role: 'ROUTER_ADMIN' }), () => liquidator({ action: 'revoke' })]
    for (const build of builds) {
      const lost = await world.withoutNode(build)
      expect(expectRefusal(lost, 503, 'MARKET_STATE_UNAVAILABLE').headers['retry-after']).toBe('1')
      expectRefusal(await world.withBroken(world.suite.factory, build), 503, 'MARKET_STATE_UNAVAILABLE')
    }
  })

  it('confirms nothing that the transaction does not show', async () => {
    const snapshot = await wrappedSnapshot(world, market.marketAddress)
    const confirms = [
      (txHash: Hex) => change({ role: 'MARKET_ADMIN', txHash }),
      (txHash: Hex) => liquidator({ txHash }),
    ]
    for (const confirm of confirms) {
      await expectTransactionFaults(world, {
        confirm,
        target: market.marketAddress,
        other: { abi: abis.market, functionName: 'pokeSnapshot' },
      })
      expectRefusal(await confirm(snapshot), 400, 'TX_NOT_VERIFIED')
      expectRefusal(await confirm('0x12'), 400, 'VALIDATION_ERROR')
      expectRefusal(await world.withoutNode(() => confirm(snapshot)), 503, 'CHAIN_UNAVAILABLE')
    }
    const other = await grant(market.router, abis.router, 'OPERATOR_ROLE')
    expectRefusal(await change({ role: 'ROUTER_ADMIN', txHash: other }), 400, 'TX_NOT_VERIFIED')
  })

  /** A role through another contract's transaction, for which that contract is made an admin first. */
  async function grant(contract: Address, abi: Abi, role: 'OPERATOR_ROLE'): Promise<Hex> {
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const on = { address: contract, abi }
    const read = (functionName: string) => world.node.publicClient.readContract({ ...on, functionName }) as Promise<Hex>
    await send(world.node, { ...on, functionName: 'grantRole', args: [await read('DEFAULT_ADMIN_ROLE'), caller] })
    const callData = encodeFunctionData({ abi, functionName: 'grantRole', args: [await read(role), account] })
    const args = [[{ target: contract, value: 0n, callData }], false]
    return (await send(world.node, { address: caller, abi: callerAbi, functionName: 'callAll', args })).transactionHash
  }
})

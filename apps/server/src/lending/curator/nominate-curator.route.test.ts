import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps } from '../../../test/lending/curator-steps.ts'
import { must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const candidate = wallet(5).address

describe('nominating a lender', () => {
  let world: ProxiedWorld
  let steps: ReturnType<typeof createCuratorSteps>
  let market: { marketId: string; marketAddress: `0x${string}` }

  beforeAll(async () => {
    world = await createProxiedWorld()
    steps = createCuratorSteps(world)
    market = await steps.seeking()
  })
  afterAll(() => world.close())

  const post = (path: string, body: unknown, marketId = market.marketId) => steps.post(marketId, path, body)
  const list = async () => must(await world.deployer.get(`${V2}/markets/${market.marketId}/nominations`)).body.data

  it('builds, records and shows it, and takes it back the same way', async () => {
    const lender = world.lender.wallet.address.toLowerCase()
    expect(await list()).toEqual({
      candidates: [lender],
      curator: null,
      seekingCurator: true,
      realizationMode: 'UNDECLARED',
    })
    for (const [path, functionName, left] of [
      ['nominations', 'nominateCurator', [lender, candidate.toLowerCase()]],
      ['nominations/withdraw', 'withdrawNomination', [lender]],
    ] as const) {
      const built = must(await post(path, { candidate }))
      expect(built.body.data).toMatchObject({
        functionName,
        marketAddress: market.marketAddress,
        candidate: candidate.toLowerCase(),
        signer: world.deployer.wallet.address.toLowerCase(),
        simulation: { success: true },
        confirmWith: { endpoint: `${V2}/markets/${market.marketId}/${path}`, field: 'txHash' },
      })
      const txHash = await world.sign(world.deployer.wallet, built)
      const confirmed = must(await post(path, { txHash }))
      expect(confirmed.body.data).toEqual({
        txHash,
        signedBy: world.deployer.wallet.address.toLowerCase(),
        marketAddress: market.marketAddress,
        candidate: candidate.toLowerCase(),
      })
      expect(must(await post(path, { txHash, candidate })).body.data).toEqual(confirmed.body.data)
      expect((await list()).candidates).toEqual(left)
    }
    const recordings = await world.superuser`
      select operation from recordings where operation in ('factory.CuratorNominated', 'factory.NominationWithdrawn') order by 1`
    expect(recordings.map(({ operation }) => operation)).toEqual([
      'factory.CuratorNominated',
      'factory.NominationWithdrawn',
    ])
  })

  it('can be had as a file for a multi-signature wallet', async () => {
    const answer = await post('nominations?format=safe', { candidate })
    expect(answer.body.transactions).toMatchObject([{ to: world.suite.factory, value: '0' }])
  })

  it('costs one round trip to list', async () => {
    expect(await world.roundTrips(list)).toBe(1)
  })

  it('refuses what the factory would refuse', async () => {
    for (const path of ['nominations', 'nominations/withdraw'])
      for (const bad of [{}, { candidate: 'x' }, { candidate: `0x${'0'.repeat(40)}` }, { candidate, other: 1 }])
        expectRefusal(await post(path, bad), 400, 'VALIDATION_ERROR')
    expectRefusal(await post('nominations', { candidate: world.lender.wallet.address }), 409, 'ALREADY_NOMINATED')
    expectRefusal(await post('nominations/withdraw', { candidate }), 409, 'NOT_NOMINATED')
    const life = createMarketLife(world)
    const adopted = await life.adopted({ borrowAssetAddress: await world.createCash('DONE') })
    for (const path of ['nominations', 'nominations/withdraw'])
      expectRefusal(await post(path, { candidate }, adopted.marketId), 409, 'NOT_SEEKING_CURATOR')
  })

  it('says when the factory cannot be read, and lists no candidates instead', async () => {
    const nominations = `${V2}/markets/${market.marketId}/nominations`
    const attempts = [
      () => world.deployer.get(nominations),
      () => post('nominations', { candidate }),
      () => post('nominations/withdraw', { candidate }),
    ]
    for (const attempt of attempts) {
      const lost = await world.withoutNode(attempt)
      expect(expectRefusal(lost, 503, 'FACTORY_READ_FAILED').headers['retry-after']).toBe('1')
      expectRefusal(await world.withBroken(world.suite.factory, attempt), 503, 'FACTORY_READ_FAILED')
    }
  })

  it('confirms nothing that the transaction does not show', async () => {
    for (const [path, functionName] of [
      ['nominations', 'withdrawNomination'],
      ['nominations/withdraw', 'nominateCurator'],
    ] as const) {
      if (functionName === 'withdrawNomination') await nominate(wallet(6).address)
      await expectTransactionFaults(world, {
        confirm: (txHash) => post(path, { txHash }),
        target: world.suite.factory,
        other: { abi: abis.factory, functionName, args: [market.marketAddress, wallet(6).address] },
      })
      expectRefusal(await post(path, { txHash: '0x12' }), 400, 'VALIDATION_ERROR')
      expectRefusal(await post(path, { txHash: `0x${'1'.repeat(64)}`, candidate: 'x' }), 400, 'VALIDATION_ERROR')
      expectRefusal(
        await world.withoutNode(() => post(path, { txHash: `0x${'1'.repeat(64)}` })),
        503,
        'CHAIN_UNAVAILABLE',
      )
    }
    const txHash = await nominate(wallet(7).address)
    expectRefusal(await post('nominations', { txHash, candidate }), 400, 'TX_NOT_VERIFIED')
    const other = await steps.seeking()
    expectRefusal(await post('nominations', { txHash }, other.marketId), 400, 'TX_NOT_VERIFIED')
    const wrapped = await throughMulticall()
    expectRefusal(await post('nominations/withdraw', { txHash: wrapped }), 400, 'TX_NOT_VERIFIED')
  })

  it('needs a wallet, and the one that deployed the market', async () => {
    const { deployer } = world
    const second = wallet(8)
    const body = { address: second.address }
    const { nonce, message } = must(await deployer.post('/access/api/wallets/challenge', body)).body.data
    const signature = await second.signMessage({ message })
    must(await deployer.post('/access/api/wallets', { ...body, nonce, signature }))
    const remove = (address: string) => deployer.call('DELETE', `/access/api/wallets/${address}`)
    must(await remove(deployer.wallet.address))
    for (const path of ['nominations', 'nominations/withdraw'])
      expectRefusal(await post(path, { candidate }), 403, 'DEPLOYER_NOT_AUTHORIZED')
    must(await remove(second.address))
    for (const path of ['nominations', 'nominations/withdraw'])
      expectRefusal(await post(path, { candidate }), 412, 'WALLET_NOT_CONFIGURED')
  })

  async function nominate(account: string): Promise<Hex> {
    const args = [market.marketAddress, account]
    const call = { address: world.suite.factory, abi: abis.factory, functionName: 'nominateCurator', args }
    return (await send(world.node, call)).transactionHash
  }

  /** Something else of the same factory, inside another contract's transaction. */
  async function throughMulticall(): Promise<Hex> {
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const transfer = { address: world.suite.factory, abi: abis.factory, functionName: 'transferOwnership' }
    await send(world.node, { ...transfer, args: [caller] })
    const callData = encodeFunctionData({ abi: abis.factory, functionName: 'acceptOwnership' })
    const args = [[{ target: world.suite.factory, value: 0n, callData }], false]
    return (await send(world.node, { address: caller, abi: callerAbi, functionName: 'callAll', args })).transactionHash
  }
})

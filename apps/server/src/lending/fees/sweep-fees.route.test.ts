import { demoCashAbi } from '@tallystick/abi'
import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, type TcpProxy, tcpProxy, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failingReads } from '../../../test/failing-reads.ts'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { createImplementations } from '../../../test/lending/implementations.ts'
import { createLendingWorld, type LendingWorld, must, units, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

const sweeps = [
  ['infrastructure-fees', 'sweepInfrastructureFees', 'infrastructureFees'],
  ['operator-fees', 'sweepOperatorFees', 'operatorFees'],
  ['protocol-fees', 'sweepProtocolFees', 'protocolFees'],
  ['distributor-fees', 'sweepDistributorFees', 'distributorFees'],
] as const

describe('sweeping fees', () => {
  let cut: TcpProxy
  let rpc: RpcProxy
  let world: LendingWorld
  let life: FeesLife
  let market: LiveMarket
  let unpaid: LiveMarket
  let seekingId: string
  let operator: Address

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        cut = await tcpProxy(node.url)
        rpc = await rpcProxy(cut.url)
        return [rpc.url]
      },
    })
    life = createFeesLife(world)
    operator = world.deployer.wallet.address.toLowerCase() as Address
    market = await life.earning()
    await life.insuranceRate(market, 500)
    await life.repaidYear(market)
    unpaid = await life.earning({ mode: 'CUSTODY' }, 0)
    const other = await world.createSecurity('SEEK')
    await world.importToken(world.deployer, other.token)
    seekingId = (await world.deployMarket({ collateralTokenAddress: other.token })).marketId
  })
  afterAll(async () => {
    await rpc.stop()
    await cut.stop()
    await world.close()
  })

  const post = (name: string, body: Record<string, unknown> = {}, marketId = market.marketId) =>
    world.deployer.post(`${V2}/markets/${marketId}/${name}/sweep`, body)
  async function refused(name: string, body: Record<string, unknown>, status: number, code: string, marketId?: string) {
    const answer = await post(name, body, marketId)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  const balanceOf = (account: Address) => life.read<bigint>(world.cash, abis.vault, 'balanceOf', [account])

  it('of any kind is refused for fields it does not know, and for a hash that is none', async () => {
    for (const [name] of sweeps) {
      await refused(name, { amount: '1' }, 400, 'VALIDATION_ERROR')
      await refused(name, { txHash: '0x12' }, 400, 'VALIDATION_ERROR')
    }
    const provider = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
    await refused('distributor-fees', { provider }, 400, 'VALIDATION_ERROR')
    await refused('distributor-fees', { provider, txHash: `0x${'1'.repeat(64)}` }, 400, 'VALIDATION_ERROR')
  })

  it('is refused while nothing is booked', async () => {
    await refused('infrastructure-fees', {}, 409, 'NO_INFRASTRUCTURE_FEES', unpaid.marketId)
    await refused('operator-fees', {}, 409, 'NO_OPERATOR_FEES', unpaid.marketId)
    await refused('protocol-fees', {}, 409, 'NO_PROTOCOL_FEES', unpaid.marketId)
    await refused('distributor-fees', {}, 409, 'NOTHING_ACCRUED', unpaid.marketId)
  })

  it('has nobody to pay while the market seeks its lender', async () => {
    await refused('operator-fees', {}, 409, 'MARKET_NOT_ADOPTED', seekingId)
    await refused('distributor-fees', {}, 409, 'MARKET_NOT_ADOPTED', seekingId)
  })

  it('proves nothing by another transaction', async () => {
    const other = { abi: abis.market, functionName: 'syncRate' }
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    for (const [name] of sweeps) {
      const confirm = (txHash: Hex) => post(name, { txHash })
      await expectTransactionFaults(world, { confirm, target: market.marketAddress, other })
      // The market said something in it, but not that it paid.
      const callData = encodeFunctionData({ abi: abis.market, functionName: 'pokeSnapshot' })
      const { transactionHash } = await send(world.node, {
        address: caller,
        abi: callerAbi,
        functionName: 'callAll',
        args: [[{ target: market.marketAddress, value: 0n, callData }], false],
      })
      await refused(name, { txHash: transactionHash }, 400, 'TX_NOT_VERIFIED')
    }
  })

  it('of infrastructure fees is not stopped when the platform wallet cannot be read', async () => {
    rpc.changeResult = failingReads('platformWallet()')
    const { data } = must(await post('infrastructure-fees')).body
    rpc.changeResult = undefined
    expect(data).toMatchObject({ destination: null, simulation: { success: true } })
  })

  it('of infrastructure fees pays the platform wallet, whoever signs, and what the event says is recorded', async () => {
    const platform = wallet(9).address.toLowerCase() as Address
    const { infrastructureFees } = await life.read<{ infrastructureFees: bigint }>(
      market.marketAddress,
      abis.market,
      'pool',
    )
    const built = must(await post('infrastructure-fees'))
    expect(built.body.data).toMatchObject({
      action: 'SIGN_TRANSACTION',
      transaction: { to: market.marketAddress, value: '0', chainId: world.node.chainId },
      functionName: 'sweepInfrastructureFees',
      permissionless: true,
      requiredRole: null,
      requiredSigner: null,
      destination: platform,
      amountRaw: infrastructureFees.toString(),
      asset: { address: world.cash, symbol: 'USDX', decimals: 6 },
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: `${V2}/markets/${market.marketId}/infrastructure-fees/sweep`, field: 'txHash' },
    })
    const before = await balanceOf(platform)
    const txHash = await world.sign(wallet(7), built)
    const paid = must(await post('infrastructure-fees', { txHash }))
    expect(paid.body.data).toEqual({
      kind: 'infrastructure',
      txHash,
      signedBy: wallet(7).address.toLowerCase(),
      destination: platform,
      amount: built.body.data.amount,
      amountRaw: infrastructureFees.toString(),
      asset: { address: world.cash, symbol: 'USDX', decimals: 6 },
      at: new Date(paid.body.metadata.chainTime * 1000).toISOString(),
    })
    expect((await balanceOf(platform)) - before).toBe(infrastructureFees)
    expect(must(await post('infrastructure-fees', { txHash })).body.data).toEqual(paid.body.data)
    await refused('infrastructure-fees', {}, 409, 'NO_INFRASTRUCTURE_FEES')
    await refused('operator-fees', { txHash }, 400, 'TX_WRONG_FUNCTION')
  })

  it('of infrastructure fees pays what is booked when it is mined, not what was quoted', async () => {
    await life.repaidYear(market, 1_000)
    const built = must(await post('infrastructure-fees'))
    await life.repaidYear(market, 1_000)
    const txHash = await world.sign(wallet(7), built)
    const { data } = must(await post('infrastructure-fees', { txHash })).body
    expect(BigInt(data.amountRaw)).toBeGreaterThan(BigInt(built.body.data.amountRaw))
  })

  it('of operator fees pays the operator wallet, through a Safe as well', async () => {
    const built = must(await post('operator-fees')).body.data
    expect(built).toMatchObject({ recipient: operator, permissionless: true, simulation: { success: true } })
    expect(built).not.toHaveProperty('destination')
    const safe = await deploySafe(world.node, [wallet(4), wallet(5)])
    const { receipt } = await safe.execThroughSafe(built.transaction)
    const { data } = must(await post('operator-fees', { txHash: receipt.transactionHash })).body
    expect(data).toMatchObject({ verifiedBy: 'receipt-log', recipient: operator, amountRaw: built.amountRaw })
    expect(data).not.toHaveProperty('kind')
    const file = must(await world.deployer.post(`${V2}/markets/${market.marketId}/protocol-fees/sweep?format=safe`, {}))
    expect(file.body.transactions).toMatchObject([{ to: market.marketAddress, value: '0' }])
  })

  it('of protocol fees fills the fund; a fund that does not list the market shows in the simulation', async () => {
    await life.call(market.fund, abis.fund, 'setMarketAuthorized', [market.marketAddress, false])
    const blocked = must(await post('protocol-fees')).body.data
    expect(blocked.simulation).toMatchObject({ success: false, revert: { error: 'MarketNotAuthorized' } })
    await life.call(market.fund, abis.fund, 'setMarketAuthorized', [market.marketAddress, true])
    const built = must(await post('protocol-fees'))
    expect(built.body.data).toMatchObject({ destination: market.fund, simulation: { success: true } })
    const txHash = await world.sign(wallet(7), built)
    const { data } = must(await post('protocol-fees', { txHash })).body
    expect(data).toMatchObject({ kind: 'protocol', destination: market.fund, amountRaw: built.body.data.amountRaw })
    expect(await balanceOf(market.fund)).toBe(BigInt(data.amountRaw))
  })

  it('of distributor fees pays each provider its own; a vault collects itself', async () => {
    const built = must(await post('distributor-fees'))
    expect(built.body.data).toMatchObject({ provider: operator, recipient: operator, permissionless: true })
    const txHash = await world.sign(wallet(7), built)
    const { data } = must(await post('distributor-fees', { txHash })).body
    expect(data).toMatchObject({ provider: operator, recipient: operator, amountRaw: built.body.data.amountRaw })
    expect(data).not.toHaveProperty('asset')
    await refused('distributor-fees', { provider: wallet(8).address, txHash }, 400, 'TX_NOT_VERIFIED')
    await refused('distributor-fees', { provider: wallet(8).address }, 409, 'NOTHING_ACCRUED')

    const vault = await life.connectedVault(market, 500_000, 400_000)
    const loanId = await life.openLoan(market, wallet(3), { collateral: 10_000, amount: 300_000 })
    await life.travelFresh(market, 30 * 86_400)
    await life.repay(market, wallet(3), loanId, 400_000)
    await refused('distributor-fees', { provider: vault }, 409, 'VAULT_COLLECTS_ITSELF')
    const collected = await life.call(vault, abis.vault, 'collectDistributorFees', [market.marketAddress])
    const swept = must(await post('distributor-fees', { provider: vault, txHash: collected.transactionHash })).body.data
    expect(swept).toMatchObject({ verifiedBy: 'receipt-log', provider: vault })
    await world.follow()
    const flows = must(await world.deployer.get(`${V2}/markets/${market.marketId}/cashflows`)).body.data
    expect(flows.legs.distributors.paidToVaults.raw).toBe(swept.amountRaw)
    expect(flows.legs.distributors.paidToOperatorWallet.raw).toBe(data.amountRaw)
    expect(flows.reconciliation.distributors.balanced).toBe(true)
  })

  it('of distributor fees of another contract needs that contract to sign', async () => {
    const safe = await deploySafe(world.node, [wallet(4), wallet(5)])
    const args = [safe.address]
    await life.call(unpaid.marketAddress, abis.market, 'setOperatorFeeRecipient', args)
    const approve = encodeFunctionData({
      abi: abis.vault,
      functionName: 'approve',
      args: [unpaid.marketAddress, units(5_000, 6)],
    })
    const supply = encodeFunctionData({ abi: abis.market, functionName: 'addLiquidity', args: [units(5_000, 6)] })
    await life.call(world.cash, demoCashAbi, 'mint', [safe.address, units(5_000, 6)])
    await safe.execThroughSafe({ to: world.cash, data: approve })
    await safe.execThroughSafe({ to: unpaid.marketAddress, data: supply })
    await life.repaidYear(unpaid, 2_000, 'CUSTODY')
    const { data } = must(await post('distributor-fees', {}, unpaid.marketId)).body
    const provider = safe.address.toLowerCase()
    expect(data).toMatchObject({
      provider,
      permissionless: false,
      requiredSigner: provider,
      simulation: { success: true },
    })
    const { receipt } = await safe.execThroughSafe(data.transaction)
    const swept = must(await post('distributor-fees', { txHash: receipt.transactionHash }, unpaid.marketId)).body.data
    expect(swept).toMatchObject({ provider, amountRaw: data.amountRaw, verifiedBy: 'receipt-log' })
  })

  it('of distributor fees is refused when the asset would not move', async () => {
    await life.repaidYear(market, 2_000)
    const code = await world.node.publicClient.getCode({ address: world.cash })
    const reverts = '0x5f5ffd'
    await world.node.testClient.setCode({ address: world.cash, bytecode: reverts })
    await refused('distributor-fees', {}, 409, 'TX_WOULD_REVERT')
    await world.node.testClient.setCode({ address: world.cash, bytecode: code ?? '0x' })
  })

  it('of a market without a fund, or of the first generation, says what is missing', async () => {
    const implementations = createImplementations(world)
    await implementations.serve('market', await implementations.create('NominatingMarket', 2n))
    const other = await world.createSecurity('NOFUND')
    await world.importToken(world.deployer, other.token)
    const fundless = await life.adopted({ collateralTokenAddress: other.token })
    await life.call(
      fundless.marketAddress,
      [{ type: 'function', name: 'forgetSatellites', inputs: [], outputs: [], stateMutability: 'nonpayable' }],
      'forgetSatellites',
      [],
    )
    await refused('protocol-fees', {}, 409, 'NO_INSURANCE_FUND', fundless.marketId)
    await implementations.serve('market', await implementations.create('FirstGenerationMarket', 1_000n))
    const first = await world.createSecurity('FIRST')
    await world.importToken(world.deployer, first.token)
    const old = await life.adopted({ collateralTokenAddress: first.token })
    await refused('distributor-fees', {}, 409, 'MARKET_UPGRADE_REQUIRED', old.marketId)
    await world.follow()
    const cashflows = await world.deployer.get(`${V2}/markets/${old.marketId}/cashflows`)
    expect([cashflows.status, cashflows.body.error.code]).toEqual([409, 'MARKET_UPGRADE_REQUIRED'])
    const split = must(await world.deployer.get(`${V2}/markets/${old.marketId}/fee-split`)).body.data
    expect(split).toMatchObject({ generation: 'OFFERED_SHARE', fixedShares: false })
    expect(split.legs.map(({ effectiveBps }: { effectiveBps: string }) => effectiveBps)).toEqual([
      '1500',
      '850',
      '0',
      '0',
      '7650',
    ])
    await implementations.serveCurrent('market')
  })

  it('is neither built nor confirmed while the chain or the market does not answer', async () => {
    const code = await world.node.publicClient.getCode({ address: market.marketAddress })
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: '0x' })
    await refused('infrastructure-fees', {}, 503, 'MARKET_FEES_UNAVAILABLE')
    await refused('operator-fees', {}, 503, 'OPERATOR_FEES_UNAVAILABLE')
    await refused('distributor-fees', {}, 503, 'MARKET_STATE_UNAVAILABLE')
    await world.node.testClient.setCode({ address: market.marketAddress, bytecode: code ?? '0x' })
    await cut.cut()
    await refused('infrastructure-fees', {}, 503, 'MARKET_FEES_UNAVAILABLE')
    await refused('operator-fees', {}, 503, 'OPERATOR_FEES_UNAVAILABLE')
    await refused('protocol-fees', {}, 503, 'MARKET_FEES_UNAVAILABLE')
    await refused('distributor-fees', {}, 503, 'MARKET_STATE_UNAVAILABLE')
    for (const [name] of sweeps) await refused(name, { txHash: `0x${'1'.repeat(64)}` }, 503, 'CHAIN_UNAVAILABLE')
    await cut.restore()
  })
})

import { callerAbi, callerBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'

describe('removing a market from a vault', () => {
  let world: ProxiedWorld
  let life: FeesLife
  let market: LiveMarket
  let owner: Address
  let vault: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createFeesLife(world)
    market = await life.earning({}, 10_000)
    owner = world.deployer.wallet.address.toLowerCase() as Address
    vault = await created('Leaving')
  })
  afterAll(() => world.close())

  /** A vault that serves the market from the start. */
  async function created(name: string): Promise<Address> {
    const markets = [{ marketId: market.marketId, cap: '1000' }]
    const request = { name, symbol: 'LVG', assetAddress: world.cash, markets }
    const { transaction } = must(await world.deployer.post(`${V2}/vaults/deploy`, request)).body.data
    const txHash = await world.node.walletClient.sendTransaction({
      account: world.deployer.wallet,
      data: transaction.data,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: txHash })
    return must(await world.deployer.post(`${V2}/vaults/deploy`, { txHash })).body.data.vault.vaultAddress
  }
  const remove = (body: object, of: string = vault, party: Party = world.deployer) =>
    party.post(`${V2}/vaults/${of}/remove-market`, body)
  async function refused(body: object, status: number, code: string, of?: string, party?: Party) {
    const answer = await remove(body, of, party)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  const named = () => ({ marketAddress: market.marketAddress })
  const marketsOf = (of: Address) => life.read<readonly Address[]>(of, abis.vault, 'markets')

  it('is refused for what the vault does not serve, and where vault or form are not right', async () => {
    await refused({ marketAddress: wallet(5).address }, 404, 'MARKET_NOT_KNOWN')
    for (const hash of [{}, { txHash: HASH }]) {
      await refused({ ...named(), ...hash }, 400, 'INVALID_ADDRESS', WRONG_CHECKSUM)
      await refused({ ...named(), ...hash }, 404, 'VAULT_NOT_FOUND', wallet(5).address)
      await refused({ ...named(), ...hash }, 404, 'VAULT_NOT_FOUND', vault, world.lender)
      await refused({ marketAddress: WRONG_CHECKSUM, ...hash }, 400, 'VALIDATION_ERROR')
      await refused({ ...named(), extra: 1, ...hash }, 400, 'VALIDATION_ERROR')
    }
    await refused({}, 400, 'VALIDATION_ERROR')
    await world.withBroken(vault, () => refused(named(), 503, 'VAULTS_UNREADABLE'))
    await world.withoutNode(async () => {
      await refused(named(), 503, 'VAULTS_UNREADABLE')
      await refused({ txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    })
  })

  it('is refused while the vault has money there, and the market answers', async () => {
    const full = await created('Full')
    const holder = wallet(5)
    await life.giveCash(holder, full, 10_000_000n)
    await life.call(full, abis.vault, 'deposit', [10_000_000n, holder.address], holder)
    await life.call(market.marketAddress, abis.market, 'registerVault', [full])
    await life.call(full, abis.vault, 'supply', [market.marketAddress, 5_000_000n])
    await refused(named(), 409, 'MARKET_HOLDS_MONEY', full)
    await world.withBroken(market.marketAddress, async () => {
      const built = must(await remove(named(), full)).body.data
      expect(built).toMatchObject({ writesOff: true, simulation: { success: true } })
      const txHash = await world.sendRaw(world.deployer.wallet, built.transaction)
      expect(must(await remove({ ...named(), txHash }, full)).body.data).toMatchObject({ writtenOff: true })
    })
    expect(await marketsOf(full)).toEqual([])
  })

  it('is signed by the owner, and then the vault serves it no longer', async () => {
    const built = must(await remove(named())).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'removeMarket',
      transaction: { to: vault },
      requiredRole: 'OWNER',
      requiredSigner: owner,
      heldByThisInstance: true,
      vaultAddress: vault,
      marketAddress: market.marketAddress,
      writesOff: false,
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: `${V2}/vaults/${vault}/remove-market`, field: 'txHash' },
    })
    const txHash = await world.sendRaw(world.deployer.wallet, built.transaction)
    const confirmed = must(await remove({ ...named(), txHash })).body.data
    expect(confirmed).toEqual({
      txHash,
      functionName: 'removeMarket',
      signedBy: owner,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      vaultAddress: vault,
      marketAddress: market.marketAddress,
      writtenOff: false,
    })
    expect(must(await remove({ txHash })).body.data).toEqual(confirmed)
    await refused({ marketAddress: wallet(5).address, txHash }, 400, 'TX_NOT_VERIFIED')
    expect(await marketsOf(vault)).toEqual([])
    await refused(named(), 404, 'MARKET_NOT_KNOWN')
  })

  it('is confirmed by nothing but its effect', async () => {
    await expectTransactionFaults(world, {
      confirm: (txHash: Hex) => remove({ txHash }),
      target: vault,
      other: { abi: abis.vault, functionName: 'setDepositsPaused', args: [false] },
    })
    const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
    const callData = encodeFunctionData({ abi: abis.vault, functionName: 'approve', args: [owner, 1n] })
    const args = [[{ target: vault, value: 0n, callData }], false]
    const inside = await send(world.node, { address: caller, abi: callerAbi, functionName: 'callAll', args })
    await refused({ txHash: inside.transactionHash }, 400, 'TX_NOT_VERIFIED')
  })
})

import { readFileSync } from 'node:fs'
import { lendingVaultAbi, lendingVaultBytecode } from '@tallystick/abi'
import { callerAbi, callerBytecode, notATokenAbi, notATokenBytecode } from '@tallystick/abi/testing'
import { deploy, deploySafe, send, wallet } from '@tallystick/testkit'
import {
  type Address,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { createLendingWorld, type LendingWorld, must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`
const earlierBuilds = new URL(
  '../../../../../contracts/test/fixtures/lending/earlier-builds/creation-code.json',
  import.meta.url,
)
/** Stands at the same address on nearly every chain, the test chain's node included. */
const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

describe('a vault', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: FeesLife
  let market: LiveMarket
  let vault: { id: string; vaultAddress: Address }
  let owner: Address

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createFeesLife(world)
    market = await life.earning({}, 10_000)
    owner = world.deployer.wallet.address.toLowerCase() as Address
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const wish = (more: Record<string, unknown> = {}) => ({
    name: 'Nordlicht Vault',
    symbol: 'NLV',
    assetAddress: world.cash,
    ...more,
  })
  const post = (body: Record<string, unknown>, party: Party = world.deployer) => party.post(`${V2}/vaults/deploy`, body)
  async function refused(body: Record<string, unknown>, status: number, code: string, party?: Party) {
    const answer = await post(body, party)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  const list = async (party: Party = world.deployer) => must(await party.get(`${V2}/vaults`)).body.data.vaults
  const create = async (data: Hex, account = world.deployer.wallet): Promise<Hex> => {
    const hash = await world.node.walletClient.sendTransaction({ account, data })
    await world.node.publicClient.waitForTransactionReceipt({ hash })
    return hash
  }

  it('is created by a transaction without a target, proven by its code, and recorded once', async () => {
    expect(await list()).toEqual([])
    const built = must(await post(wish())).body.data
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      contractCreation: true,
      functionName: 'deployLendingVault',
      asset: { address: world.cash, symbol: 'USDX', decimals: 6 },
      owner,
      factory: world.suite.factory.toLowerCase(),
      markets: [],
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: `${V2}/vaults/deploy`, field: 'txHash' },
    })
    expect(Object.keys(built.transaction)).toEqual(['data'])
    const txHash = await create(built.transaction.data)
    const { data } = must(await post({ txHash })).body
    expect(data).toMatchObject({ txHash, owner, signedBy: owner, vault: { name: 'Nordlicht Vault', symbol: 'NLV' } })
    expect(data).not.toHaveProperty('verifiedBy')
    vault = data.vault
    expect(must(await post({ txHash })).body.data).toEqual(data)
    proxy.requests.length = 0
    expect(await list()).toMatchObject([
      {
        ...vault,
        onChain: {
          readFailed: false,
          owner,
          idleAssets: '0',
          totalAssets: '0',
          sharePrice: '1',
          markets: [],
          version: 2,
          factory: world.suite.factory.toLowerCase(),
          weaknesses: [],
        },
      },
    ])
    expect(proxy.requests).toHaveLength(1)
    expect(await list(world.lender)).toEqual([])
  })

  it('is also proven when another contract created it', async () => {
    const { transaction } = must(await post(wish({ name: 'Second', owner }))).body.data
    const salt = `0x${'0'.repeat(64)}` as const
    const txHash = await world.sendRaw(wallet(6), {
      to: DETERMINISTIC_DEPLOYER,
      data: concatHex([salt, transaction.data]),
    })
    const { data } = must(await post({ txHash })).body
    expect(data).toMatchObject({
      verifiedBy: 'receipt-log',
      vault: { name: 'Second' },
      signedBy: wallet(6).address.toLowerCase(),
    })
    expect(await list()).toHaveLength(2)
  })

  it('is also proven when an earlier release built it, for our factory only', async () => {
    const { LendingVault: bytecode }: { LendingVault: Hex } = JSON.parse(readFileSync(earlierBuilds, 'utf8'))
    const earlier = (factory: Address) => {
      const args = ['Earlier', 'ERL', world.cash, owner, factory, []] as const
      return encodeDeployData({ abi: lendingVaultAbi, bytecode, args })
    }
    const { factory } = world.suite
    const txHash = await create(earlier(factory))
    const { data } = must(await post({ txHash })).body
    expect(data).toMatchObject({ owner, vault: { name: 'Earlier', symbol: 'ERL' } })
    await refused({ txHash: await create(earlier(world.cash)) }, 400, 'TX_NOT_VERIFIED')
    const selector = toFunctionSelector('payOperatorFees()').slice(2)
    await refused(
      { txHash: await create(earlier(factory).replace(selector, 'deadbeef') as Hex) },
      400,
      'TX_NOT_VERIFIED',
    )
  })

  it('names markets with caps that count from the start', async () => {
    const { marketId, marketAddress } = market
    const built = must(await post(wish({ name: 'Serving', markets: [{ marketId, cap: '70.5' }] }))).body.data
    expect(built).toMatchObject({
      markets: [{ marketId, marketAddress, cap: '70.5', capRaw: '70500000' }],
      simulation: { success: true },
    })
    const created = must(await post({ txHash: await create(built.transaction.data) })).body.data.vault
    expect(await life.read<bigint>(created.vaultAddress, abis.vault, 'drawCapOf', [marketAddress])).toBe(70_500_000n)
    const markets = (named: unknown) => wish({ markets: named })
    await refused(markets([{ marketId: 'none', cap: '1' }]), 404, 'MARKET_NOT_FOUND')
    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
    await refused(markets([{ marketId: draft.body.data.marketId, cap: '1' }]), 400, 'NO_MARKET_ADDRESS')
    for (const named of [
      [{ marketId, cap: 'abc' }],
      [{ marketId }],
      [
        { marketId, cap: '1' },
        { marketId, cap: '2' },
      ],
      Array.from({ length: 17 }, () => ({ marketId, cap: '1' })),
    ])
      await refused(markets(named), 400, 'VALIDATION_ERROR')
    const euro = await world.createCash('EURO')
    await refused(wish({ assetAddress: euro, markets: [{ marketId, cap: '1' }] }), 400, 'ASSET_MISMATCH')
    const other = must(await post(wish({ owner: wallet(7).address, markets: [{ marketId, cap: '1' }] }))).body.data
    expect(other.simulation).toMatchObject({ success: false, revert: { error: 'MarketNotOperators' } })
  })

  it('is not built from fields that make no vault', async () => {
    for (const field of ['name', 'symbol', 'assetAddress'])
      await refused(wish({ [field]: undefined }), 400, 'VALIDATION_ERROR')
    await refused(wish({ owner: '0x12' }), 400, 'VALIDATION_ERROR')
    await refused(wish({ name: '' }), 400, 'VALIDATION_ERROR')
    await refused({ txHash: '0x12' }, 400, 'VALIDATION_ERROR')
    const notAToken = await deploy(world.node, { abi: notATokenAbi, bytecode: notATokenBytecode })
    const coarse = await world.createCash('FEW', 2)
    for (const assetAddress of ['0x12', wallet(5).address, notAToken, coarse])
      await refused(wish({ assetAddress }), 400, 'INVALID_ASSET')
    const walletless = await world.createInstance()
    const answer = await walletless.call('POST', `${V2}/vaults/deploy`, { body: wish() })
    expect([answer.status, answer.body.error.code]).toEqual([412, 'WALLET_NOT_CONFIGURED'])
  })

  it('is neither built nor recorded where the operator recorded no factory', async () => {
    const txHash = await create(must(await post(wish({ name: 'Homeless' }))).body.data.transaction.data)
    await world.superuser`delete from deployed_contracts where name = 'LendingFactory'`
    await refused(wish(), 503, 'LENDING_NOT_CONFIGURED')
    await refused({ txHash }, 503, 'LENDING_NOT_CONFIGURED')
    await world.superuser`
      insert into deployed_contracts values (${world.node.chainId}, 'LendingFactory', ${world.suite.factory}, now())`
    must(await post({ txHash }))
  })

  it('is not recorded on the word of a transaction that created none, or that is not the business of the instance', async () => {
    await refused({ txHash: HASH }, 404, 'TX_NOT_FOUND')
    await world.createCash('OWND')
    const owned = await world.node.publicClient.getBlock({ includeTransactions: true })
    // It has an owner and tells of it as a vault does, but is none.
    await refused({ txHash: String(owned.transactions[0]?.hash) }, 400, 'TX_NOT_VERIFIED')
    const plain = await life.call(world.cash, abis.vault, 'approve', [owner, 1n])
    await refused({ txHash: plain.transactionHash }, 400, 'TX_NOT_VERIFIED')
    const failed = await world.node.walletClient.sendTransaction({
      account: wallet(8),
      data: '0x5f5ffd',
      gas: 100_000n,
    })
    await world.node.publicClient.waitForTransactionReceipt({ hash: failed })
    await refused({ txHash: failed }, 400, 'TX_REVERTED')
    const txHash = await create(must(await post(wish({ name: 'Mine' }))).body.data.transaction.data)
    await refused({ txHash }, 403, 'VAULT_NOT_INSTANCE_BOUND', world.outsider)
    // Code that answers like a vault where it is asked, but does not pay its owner by that name.
    const original = must(await post(wish({ name: 'Forged' }))).body.data.transaction.data as Hex
    const selector = toFunctionSelector('payOperatorFees()').slice(2)
    const forged = original.replace(selector, 'deadbeef') as Hex
    expect(forged).not.toBe(original)
    await refused({ txHash: await create(forged) }, 400, 'TX_NOT_VERIFIED')
    // A vault of this release, but with a factory that may call anything a market.
    const args = ['Foreign', 'FRN', world.cash, owner, world.cash, []] as const
    const foreign = encodeDeployData({ abi: lendingVaultAbi, bytecode: lendingVaultBytecode, args })
    await refused({ txHash: await create(foreign) }, 400, 'TX_NOT_VERIFIED')
  })

  describe('grants a market a cap', () => {
    const cap = (body: Record<string, unknown>, address: string = vault.vaultAddress, party: Party = world.deployer) =>
      party.post(`${V2}/vaults/${address}/draw-cap`, body)
    async function capRefused(
      body: Record<string, unknown>,
      status: number,
      code: string,
      address?: string,
      party?: Party,
    ) {
      const answer = await cap(body, address, party)
      expect([answer.status, answer.body.error?.code]).toEqual([status, code])
    }

    it('that its owner announces, and sets when the time has come', async () => {
      const { marketId, marketAddress } = market
      const announce = must(await cap({ marketId, cap: '3000' }))
      expect(announce.body.data).toMatchObject({
        functionName: 'announceDrawCap',
        step: 'ANNOUNCE',
        cap: '3000',
        previousCapRaw: '0',
        readyAt: expect.any(String),
        simulation: { success: true },
      })
      const txHash = await world.sign(world.deployer.wallet, announce)
      const { readyAt, ...announced } = must(await cap({ marketId, txHash })).body.data
      expect(announced).toMatchObject({ functionName: 'announceDrawCap', step: 'ANNOUNCE', cap: '3000' })
      await capRefused({ marketId, cap: '1', txHash }, 400, 'TX_NOT_VERIFIED')
      await world.follow()
      const { onChain } = must(await world.deployer.get(`${V2}/vaults/${vault.vaultAddress}`)).body.data
      expect(onChain.announcements).toMatchObject([{ marketAddress, marketId, cap: '3000', readyAt }])
      // Less than announced waits with it; more is another announcement.
      const pending = await cap({ marketId, cap: '2500.25' })
      expect([pending.status, pending.body.error]).toMatchObject([
        409,
        { code: 'ANNOUNCEMENT_PENDING', details: { cap: '3000', readyAt } },
      ])
      expect(must(await cap({ marketId, cap: '3000.1' })).body.data).toMatchObject({ step: 'ANNOUNCE' })
      const cancel = must(await cap({ marketId, cap: '0' }))
      expect(cancel.body.data).toMatchObject({ step: 'CANCEL', functionName: 'cancelAnnouncement', readyAt: null })
      const cancelled = await world.sign(world.deployer.wallet, cancel)
      expect(must(await cap({ marketId, txHash: cancelled })).body.data).toMatchObject({ step: 'CANCEL', cap: '0' })
      await world.sign(world.deployer.wallet, must(await cap({ marketId, cap: '2500.25' })))
      await life.travelFresh(market, 14 * 86_400)
    })

    it('that its owner signs, and that is shown with the market', async () => {
      const { marketId, marketAddress } = market
      const built = must(await cap({ marketId, cap: '2500.25' }))
      expect(built.body.data).toMatchObject({
        to: vault.vaultAddress,
        functionName: 'setDrawCap',
        step: 'SET',
        readyAt: null,
        requiredRole: 'OWNER',
        requiredSigner: owner,
        heldByThisInstance: true,
        marketAddress,
        capRaw: '2500250000',
        previousCapRaw: '0',
        simulation: { success: true },
      })
      const txHash = await world.sign(world.deployer.wallet, built)
      expect(must(await cap({ marketId, txHash })).body.data).toMatchObject({ cap: '2500.25', capRaw: '2500250000' })
      must(await cap({ marketId, cap: '2500.25', txHash }))
      await capRefused({ marketId, cap: '1', txHash }, 400, 'TX_NOT_VERIFIED')
      const { vaults } = must(await world.deployer.get(`${V2}/markets/${marketId}/connected-vaults`)).body.data
      const [shown] = vaults.filter(({ id }: { id: string }) => id === vault.id)
      expect(shown).toMatchObject({ own: true, registered: false, drawCap: '2500.25', operatorMatches: true })
      expect((await list()).find(({ id }: { id: string }) => id === vault.id).onChain.markets).toEqual([marketAddress])
      const again = must(await cap({ marketId, cap: '0' })).body.data
      expect(again).toMatchObject({ cap: '0', previousCapRaw: '2500250000' })
    })

    it('through a Safe that owns it', async () => {
      const safe = await deploySafe(world.node, [wallet(4)])
      await life.call(market.marketAddress, abis.market, 'setOperatorFeeRecipient', [safe.address])
      const { transaction } = must(await post(wish({ name: 'Of a Safe', owner: safe.address }))).body.data
      const created = must(await post({ txHash: await create(transaction.data) })).body.data
      const { vaultAddress } = created.vault
      const { marketId } = market
      const built = must(await cap({ marketId, cap: '10' }, vaultAddress)).body.data
      expect(built).toMatchObject({ requiredSigner: safe.address.toLowerCase(), heldByThisInstance: false })
      expect(built.simulation.success).toBe(true)
      await safe.execThroughSafe(built.transaction)
      await life.travelFresh(market, 14 * 86_400)
      const ready = must(await cap({ marketId, cap: '10' }, vaultAddress)).body.data
      expect(ready).toMatchObject({ step: 'SET', simulation: { success: true } })
      const { receipt } = await safe.execThroughSafe(ready.transaction)
      const confirmed = must(await cap({ marketId, txHash: receipt.transactionHash }, vaultAddress)).body.data
      expect(confirmed).toMatchObject({ cap: '10', verifiedBy: 'receipt-log' })
      // A lower cap also takes back what was announced; that makes it no cap of nothing.
      await safe.execThroughSafe(must(await cap({ marketId, cap: '20' }, vaultAddress)).body.data.transaction)
      const lower = must(await cap({ marketId, cap: '5' }, vaultAddress)).body.data
      const { receipt: lowered } = await safe.execThroughSafe(lower.transaction)
      const txHash = lowered.transactionHash
      await capRefused({ marketId, cap: '0', txHash }, 400, 'TX_NOT_VERIFIED', vaultAddress)
      expect(must(await cap({ marketId, txHash }, vaultAddress)).body.data).toMatchObject({ step: 'SET', cap: '5' })
      const back = encodeFunctionData({ abi: abis.market, functionName: 'setOperatorFeeRecipient', args: [owner] })
      await safe.execThroughSafe({ to: market.marketAddress, data: back })
    })

    it('is refused when vault, market or amount are not what they should be', async () => {
      const { marketId } = market
      await capRefused({ marketId, cap: '1' }, 400, 'INVALID_ADDRESS', '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266')
      await capRefused({ marketId, txHash: HASH }, 400, 'INVALID_ADDRESS', 'abc')
      await capRefused({ marketId, cap: '1' }, 404, 'VAULT_NOT_FOUND', wallet(5).address)
      await capRefused({ marketId, cap: '1' }, 404, 'VAULT_NOT_FOUND', vault.vaultAddress, world.lender)
      await capRefused({ marketId, txHash: HASH }, 404, 'VAULT_NOT_FOUND', wallet(5).address)
      await capRefused({ marketId: 'none', cap: '1' }, 404, 'MARKET_NOT_FOUND')
      await capRefused({ marketId: 'none', txHash: HASH }, 404, 'MARKET_NOT_FOUND')
      const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody({ mode: 'CUSTODY' })))
      const draftId = draft.body.data.marketId
      await capRefused({ marketId: draftId, cap: '1' }, 400, 'NO_MARKET_ADDRESS')
      await capRefused({ marketId: draftId, txHash: HASH }, 400, 'NO_MARKET_ADDRESS')
      for (const wrong of [undefined, '-1', '1.0000001', 'abc', '9'.repeat(60) + '9'.repeat(40)])
        await capRefused({ marketId, cap: wrong }, 400, 'VALIDATION_ERROR')
      must(await cap({ marketId, cap: '9'.repeat(60) }))
      await capRefused({ marketId, cap: 'abc', txHash: HASH }, 400, 'VALIDATION_ERROR')
      const euro = await world.createCash('EURX')
      const other = must(await post(wish({ assetAddress: euro, name: 'Euro' }))).body.data
      const { vaultAddress } = must(await post({ txHash: await create(other.transaction.data) })).body.data.vault
      await capRefused({ marketId, cap: '1' }, 400, 'ASSET_MISMATCH', vaultAddress)
    })

    it('is confirmed by nothing but its effect', async () => {
      const { marketId } = market
      await expectTransactionFaults(world, {
        confirm: (txHash) => cap({ marketId, txHash }),
        target: vault.vaultAddress,
        other: { abi: abis.vault, functionName: 'setDepositsPaused', args: [false] },
      })
      const caller = await deploy(world.node, { abi: callerAbi, bytecode: callerBytecode })
      const approve = encodeFunctionData({ abi: abis.vault, functionName: 'approve', args: [owner, 1n] })
      const touched = await send(world.node, {
        address: caller,
        abi: callerAbi,
        functionName: 'callAll',
        args: [[{ target: vault.vaultAddress, value: 0n, callData: approve }], false],
      })
      await capRefused({ marketId, txHash: touched.transactionHash }, 400, 'TX_NOT_VERIFIED')
    })
  })

  it('of the first generation is served on, and told what it cannot help', async () => {
    const { marketId, marketAddress } = market
    // Recorded when it was deployed; its code is that of the release of that time.
    const built = must(await post(wish({ name: 'First' }))).body.data
    const { vaultAddress: first } = must(await post({ txHash: await create(built.transaction.data) })).body.data.vault
    const bytecode = await world.node.publicClient.getCode({ address: await life.firstVault() })
    await world.node.testClient.setCode({ address: first, bytecode: bytecode ?? '0x' })
    const path = `${V2}/vaults/${first}`
    const seen = must(await world.deployer.get(path)).body.data.onChain
    expect(seen).toMatchObject({ version: 1, factory: null, announcements: [], unreadableMarkets: [] })
    expect(seen.weaknesses.map(({ code }: { code: string }) => code)).toEqual([
      'NO_REDEMPTION_WAIT',
      'NO_ANNOUNCEMENTS',
      'BROKEN_MARKET_STOPS_ALL',
    ])
    const set = must(await world.deployer.post(`${path}/draw-cap`, { marketId, cap: '5' }))
    expect(set.body.data).toMatchObject({ step: 'SET', functionName: 'setDrawCap', readyAt: null })
    await world.sign(world.deployer.wallet, set)
    expect(await life.read<bigint>(first, abis.vault, 'drawCapOf', [marketAddress])).toBe(5_000_000n)
    const holder = wallet(5)
    await life.giveCash(holder, first, 10_000_000n)
    const deposit = must(await world.deployer.post(`${path}/deposit`, { amount: '10', holderAddress: holder.address }))
    expect(deposit.body.data.preview.redeemableAt).toBeNull()
    for (const { transaction } of deposit.body.data.steps) await world.sendRaw(holder, transaction)
    const redeem = must(await world.deployer.post(`${path}/redeem`, { shares: '10', holderAddress: holder.address }))
    expect(redeem.body.data).toMatchObject({ willFillFully: true, simulation: { success: true } })
  })

  it('is not read as empty when it or the chain does not answer', async () => {
    const { vaultAddress } = vault
    const code = await world.node.publicClient.getCode({ address: vaultAddress })
    await world.node.testClient.setCode({ address: vaultAddress, bytecode: '0x' })
    expect((await list()).find(({ id }: { id: string }) => id === vault.id).onChain).toEqual({ readFailed: true })
    const body = { marketId: market.marketId, cap: '1' }
    const at = `${V2}/vaults/${vaultAddress}/draw-cap`
    const outcome = async (answer: Promise<{ status: number; body: { error: { code: string } } }>) => {
      const { status, body } = await answer
      return [status, body.error.code]
    }
    expect(await outcome(world.deployer.post(at, body))).toEqual([503, 'VAULTS_UNREADABLE'])
    await world.node.testClient.setCode({ address: vaultAddress, bytecode: code ?? '0x' })
    proxy.replaceResponse = { status: 500, body: 'out of order' }
    expect(await outcome(world.deployer.get(`${V2}/vaults`))).toEqual([503, 'VAULTS_UNREADABLE'])
    expect(await outcome(world.deployer.post(at, body))).toEqual([503, 'VAULTS_UNREADABLE'])
    expect(await outcome(world.deployer.post(at, { ...body, txHash: HASH }))).toEqual([503, 'CHAIN_UNAVAILABLE'])
    await refused(wish(), 503, 'CHAIN_UNAVAILABLE')
    await refused({ txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    proxy.replaceResponse = undefined
  })

  it('is gone when a reorganization took its creation away', async () => {
    const abi = parseAbi(['function name() view returns (string)'])
    const before = (await list()).length
    const txHash = await create(must(await post(wish({ name: 'Short-lived' }))).body.data.transaction.data)
    const { vaultAddress } = must(await post({ txHash })).body.data.vault
    expect(await life.read<string>(vaultAddress, abi, 'name')).toBe('Short-lived')
    await world.follow()
    expect(await list()).toHaveLength(before + 1)
    await world.node.testClient.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await world.follow()
    expect(await list()).toHaveLength(before)
  })
})

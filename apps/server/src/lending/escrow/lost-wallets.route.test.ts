import { demoCashAbi, identityRegistryAbi, stockTokenAbi } from '@tallystick/abi'
import { gatedTokenAbi, gatedTokenBytecode } from '@tallystick/abi/testing'
import { deploy, send, wallet } from '@tallystick/testkit'
import { type Abi, type Address, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { createRepaymentLife, type RepaymentLife } from '../../../test/lending/repayment-life.ts'
import {
  createStock,
  createStockLendingWorld,
  STOCK_LENDING,
  type Stock,
  type StockLendingWorld,
} from '../../../test/lending/stock-world.ts'
import { cast } from '../../../test/lending/story-birth.ts'
import { raiseMarket, type Stage } from '../../../test/lending/story-stage.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

const HASH = `0x${'1'.repeat(64)}`
const WRONG_CHECKSUM = '0xF39fd6e51aad88f6f4ce6ab8827279cffFb92266'
const SURPLUS = 'claim-surplus-of-lost-wallet'
const ESCROW = 'claim-escrow-of-lost-wallet'
const RELEASE = 'release-recovered'
const lower = (address: string) => address.toLowerCase() as Address

/** A key is lost. The company knows the new wallet, and so does the token; the loan knows the old one. */
describe('what is kept for a lost wallet', () => {
  const { borrower, otherBorrower, bidder } = cast
  const [lostWallet, otherLost] = [lower(borrower.address), lower(otherBorrower.address)]
  const found = wallet(9)
  const otherFound = wallet(14)
  const anybody = bidder
  let world: StockLendingWorld
  let stock: Stock
  let cash: Address
  let custody: Stage
  let frozen: Stage

  beforeAll(async () => {
    world = await createStockLendingWorld()
    await world.recordStockFactory()
    stock = await createStock(world)
    await onRegistry('grantRole', [keccak256(toHex('REGISTER_OPERATOR_ROLE')), world.deployer.wallet.address])
    cash = lower(await deploy(world.node, { abi: gatedTokenAbi as Abi, bytecode: gatedTokenBytecode, args: [6] }))
    custody = await raiseMarket(world, { collateral: stock, prefix: STOCK_LENDING, mode: 'CUSTODY', cash })
    frozen = await raiseMarket(world, { collateral: stock, prefix: STOCK_LENDING, mode: 'FREEZE' })
    for (const holder of [borrower, otherBorrower]) await custody.giveCollateral(holder, 10)
  })
  afterAll(() => world.close())

  const onRegistry = (functionName: string, args: readonly unknown[]) =>
    send(world.node, { address: world.stockSuite.identityRegistry, abi: identityRegistryAbi, functionName, args })
  const onStock = (functionName: string, args: readonly unknown[]) =>
    send(world.node, { address: stock.token, abi: stockTokenAbi, functionName, args })
  async function recover(lost: Address, by: Address) {
    await onRegistry('moveIdentity', [lost, by])
    await onStock('recoveryAddress', [lost, by, lost])
  }
  const post = (stage: Stage, name: string, body: object) => world.lender.post(stage.position(name), body)
  const asked = async (stage: Stage, name: string, body: object) => must(await post(stage, name, body)).body.data
  async function payOff(stage: Stage, loanId: number, money: Address) {
    const payer = world.lender.wallet
    await send(world.node, {
      address: money,
      abi: demoCashAbi,
      functionName: 'mint',
      args: [payer.address, units(99_000, 6)],
    })
    const { steps } = must(await post(stage, 'repay', { loanId, all: true })).body.data
    for (const { transaction } of steps) await world.sendRaw(payer, transaction)
  }

  it('collateral of custody goes to the wallet that took its place, whoever signs', async () => {
    await custody.open('borrower', 100, 5_000)
    await recover(lostWallet, found.address)
    await payOff(custody, 1, cash)
    const built = await asked(custody, ESCROW, { lostWallet: borrower.address })
    expect(built).toMatchObject({
      action: 'SIGN_TRANSACTION',
      functionName: 'claimEscrowOfLostWallet',
      transaction: { to: custody.market.adapter },
      adapterAddress: custody.market.adapter,
      lostWallet,
      successor: lower(found.address),
      amount: '100',
      amountRaw: units(100).toString(),
      simulation: { simulated: true, success: true },
      confirmWith: { endpoint: custody.position(ESCROW), field: 'txHash' },
    })
    const had = await stock.view<bigint>('balanceOf', [found.address])
    const txHash = await world.sendRaw(anybody, built.transaction)
    expect((await stock.view<bigint>('balanceOf', [found.address])) - had).toBe(units(100))
    const confirmed = await asked(custody, ESCROW, { lostWallet, txHash })
    expect(confirmed).toEqual({
      txHash,
      lostWallet,
      adapterAddress: custody.market.adapter,
      amount: '100',
      amountRaw: units(100).toString(),
    })
    expect(await asked(custody, ESCROW, { txHash })).toEqual(confirmed)
    const another = await post(custody, ESCROW, { lostWallet: otherLost, txHash })
    expect([another.status, another.body.error.code]).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  it('surplus of a realization goes there too', async () => {
    await onRegistry('moveIdentity', [found.address, lostWallet])
    await custody.open('otherBorrower', 100, 7_000)
    const blocked = (account: Address, isBlocked: boolean) =>
      send(world.node, {
        address: cash,
        abi: gatedTokenAbi as Abi,
        functionName: 'setBlocked',
        args: [account, isBlocked],
      })
    await custody.price(80)
    // Without the model beside it, which does not know of the repayment above.
    const seizure = custody.liquidation(`${custody.market.marketId}/liquidate/2`)
    const by = { signerAddress: cast.liquidator.address }
    const seized = must(await world.lender.post(seizure, by)).body.data
    const seizedIn = await world.sendRaw(cast.liquidator, seized.transaction)
    const { data } = must(await world.lender.post(seizure, { ...by, txHash: seizedIn })).body
    await blocked(otherLost, true)
    const asSeller = (functionName: string, args: readonly unknown[]) =>
      send(world.node, {
        address: custody.market.router,
        abi: abis.router,
        functionName,
        args,
        account: world.lender.wallet,
        gas: 5_000_000n,
      })
    const id = BigInt(data.liquidationId)
    const { collateralRemaining } = await world.node.publicClient.readContract({
      address: custody.market.router,
      abi: abis.router,
      functionName: 'liquidation',
      args: [id],
    })
    await asSeller('withdrawCollateralForSale', [id, collateralRemaining])
    await custody.giveCash(world.lender.wallet, 9_000)
    await send(world.node, {
      address: cash,
      abi: demoCashAbi,
      functionName: 'approve',
      args: [custody.market.router, units(9_000, 6)],
      account: world.lender.wallet,
    })
    await asSeller('settleLiquidation', [id, units(9_000, 6)])
    const without = await post(custody, SURPLUS, { lostWallet: otherLost })
    expect([without.status, without.body.error.code]).toEqual([409, 'NO_SUCCESSOR'])
    await recover(otherLost, otherFound.address)
    const built = await asked(custody, SURPLUS, { lostWallet: otherLost })
    expect(built).toMatchObject({
      functionName: 'claimSurplusOfLostWallet',
      transaction: { to: custody.market.marketAddress },
      lostWallet: otherLost,
      successor: lower(otherFound.address),
      simulation: { success: true },
      confirmWith: { endpoint: custody.position(SURPLUS) },
    })
    expect(BigInt(built.amountRaw)).toBeGreaterThan(units(1_000, 6))
    const txHash = await world.sendRaw(anybody, built.transaction)
    expect(await custody.balanceOf(otherFound.address)).toBe(BigInt(built.amountRaw))
    const { amount, amountRaw } = built
    expect(await asked(custody, SURPLUS, { lostWallet: otherLost, txHash })).toEqual({
      txHash,
      lostWallet: otherLost,
      amount,
      amountRaw,
    })
    const another = await post(custody, SURPLUS, { lostWallet, txHash })
    expect([another.status, another.body.error.code]).toEqual([400, 'TX_NOT_VERIFIED'])
  })

  it('shares that a repayment could not free are freed in the new wallet', async () => {
    const name = 'broker'
    const [lost, next] = [cast[name], wallet(10)]
    await frozen.open(name, 100, 5_000)
    await onStock('removeAgent', [frozen.market.adapter])
    await payOff(frozen, 1, world.cash)
    await onStock('addAgent', [frozen.market.adapter])
    await recover(lost.address, next.address)
    const request = { lostWallet: lost.address, newWallet: next.address }
    const built = await asked(frozen, RELEASE, request)
    const shown = {
      lostWallet: lower(lost.address),
      newWallet: lower(next.address),
      adapterAddress: frozen.market.adapter,
    }
    expect(built).toMatchObject({
      ...shown,
      functionName: 'releaseRecovered',
      transaction: { to: frozen.market.adapter },
      deferred: '100',
      deferredRaw: units(100).toString(),
      simulation: { success: true },
      confirmWith: { endpoint: frozen.position(RELEASE) },
    })
    const stranger = await asked(frozen, RELEASE, { ...request, newWallet: anybody.address })
    expect(stranger.simulation).toMatchObject({ success: false, revert: { error: 'NotSameIdentity' } })
    const txHash = await world.sendRaw(anybody, built.transaction)
    expect(await stock.view<bigint>('frozenBy', [frozen.market.adapter, next.address])).toBe(0n)
    const confirmed = await asked(frozen, RELEASE, { ...request, txHash })
    expect(confirmed).toEqual({ txHash, ...shown, amount: '100', amountRaw: units(100).toString() })
    const another = await post(frozen, RELEASE, { ...request, newWallet: anybody.address, txHash })
    expect([another.status, another.body.error.code]).toEqual([400, 'TX_NOT_VERIFIED'])
    const nothing = await post(frozen, RELEASE, request)
    expect([nothing.status, nothing.body.error.code]).toEqual([409, 'NOTHING_DEFERRED'])
  })
})

describe('what is no claim of a lost wallet', () => {
  const holder = wallet(3)
  const lostWallet = lower(holder.address)
  let world: ProxiedWorld
  let life: RepaymentLife
  let custody: LiveMarket
  let gated: LiveMarket

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createRepaymentLife(world)
    custody = await life.earning({ mode: 'CUSTODY' })
    gated = (await life.gatedMarket()).market
  })
  afterAll(() => world.close())

  const post = (at: LiveMarket, name: string, body: object) => world.deployer.post(life.path(at, name), body)
  async function refused(at: LiveMarket, name: string, body: object, status: number, code: string) {
    const answer = await post(at, name, body)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  const both = { lostWallet, newWallet: lostWallet }

  it('is refused where nothing waits, or nobody took the place', async () => {
    await refused(custody, SURPLUS, { lostWallet }, 409, 'NO_ESCROWED_SURPLUS')
    await refused(custody, ESCROW, { lostWallet }, 400, 'NO_ESCROWED_COLLATERAL')
    await refused(gated, RELEASE, both, 409, 'NOTHING_DEFERRED')
    const loanId = await life.openLoan(custody, holder, { collateral: 50, amount: 1_000, mode: 'CUSTODY' })
    await life.forgetHolder(lostWallet)
    await life.repay(custody, holder, loanId, 2_000)
    await refused(custody, ESCROW, { lostWallet }, 409, 'NO_SUCCESSOR')
    await life.knowHolder(lostWallet)
  })

  it('is refused in a market of the other mode, or without an adapter', async () => {
    for (const body of [{ lostWallet }, { lostWallet, txHash: HASH }])
      await refused(gated, ESCROW, body, 400, 'NOT_CUSTODY_MODE')
    for (const body of [both, { ...both, txHash: HASH }]) await refused(custody, RELEASE, body, 400, 'NOT_FREEZE_MODE')
    const record = (adapter: string) =>
      world.superuser`update lending_markets set adapter = ${adapter} where market_address = ${custody.marketAddress}`
    await record(zeroAddress)
    for (const body of [{ lostWallet }, { lostWallet, txHash: HASH }])
      await refused(custody, ESCROW, body, 400, 'NO_ADAPTER')
    await record(custody.adapter)
  })

  it('is refused when it is not of the right form', async () => {
    for (const [at, name, body] of [
      [custody, SURPLUS, { lostWallet }],
      [custody, ESCROW, { lostWallet }],
      [gated, RELEASE, both],
    ] as const)
      for (const wrong of [{ lostWallet: '0x12' }, { lostWallet: WRONG_CHECKSUM }, { extra: 1 }])
        for (const hash of [{}, { txHash: HASH }])
          await refused(at, name, { ...body, ...wrong, ...hash }, 400, 'VALIDATION_ERROR')
    await refused(custody, SURPLUS, {}, 400, 'VALIDATION_ERROR')
    await refused(gated, RELEASE, { lostWallet }, 400, 'VALIDATION_ERROR')
    await refused(gated, RELEASE, { ...both, newWallet: WRONG_CHECKSUM }, 400, 'VALIDATION_ERROR')
  })

  it('is not taken for nothing when the chain does not answer', async () => {
    await world.withBroken(custody.adapter, () => refused(custody, ESCROW, { lostWallet }, 503, 'ESCROW_UNREADABLE'))
    await world.withBroken(custody.marketAddress, () =>
      refused(custody, SURPLUS, { lostWallet }, 503, 'SURPLUS_UNREADABLE'),
    )
    await world.withBroken(gated.adapter, () => refused(gated, RELEASE, both, 503, 'RELEASE_UNREADABLE'))
    await world.withoutNode(async () => {
      await refused(custody, ESCROW, { lostWallet }, 503, 'ESCROW_UNREADABLE')
      await refused(custody, SURPLUS, { lostWallet }, 503, 'SURPLUS_UNREADABLE')
      await refused(gated, RELEASE, both, 503, 'RELEASE_UNREADABLE')
      for (const [at, name] of [
        [custody, ESCROW],
        [custody, SURPLUS],
        [gated, RELEASE],
      ] as const)
        await refused(at, name, { txHash: HASH }, 503, 'CHAIN_UNAVAILABLE')
    })
  })

  it('is confirmed by nothing but its effect', async () => {
    const poke = { abi: abis.market, functionName: 'pokeSnapshot' } as const
    const view = (adapter: Address, abi: Abi) => ({ abi, functionName: 'successorOf', args: [adapter] })
    for (const [at, name, target, other] of [
      [custody, SURPLUS, custody.marketAddress, poke],
      [custody, ESCROW, custody.adapter, view(custody.adapter, abis.custodyAdapter as Abi)],
      [gated, RELEASE, gated.adapter, view(gated.adapter, abis.freezeAdapter as Abi)],
    ] as const) {
      await expectTransactionFaults(world, {
        confirm: (txHash: Hex) => post(at, name, { txHash }),
        target,
        other: other as { abi: Abi; functionName: string },
      })
    }
  })
})

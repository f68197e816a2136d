import { demoCashAbi, demoComplianceAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { gatedTokenAbi, gatedTokenBytecode } from '@tallystick/abi/testing'
import { deploy, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { units } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { drawnIn } from '../../../test/lending/pdf-text.ts'
import { createPositionsLife, lower, noPrice } from '../../../test/lending/positions-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'

describe('a pledge in custody', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let loans: ReturnType<typeof createPositionsLife>
  let market: LiveMarket
  const borrower = wallet(4)
  const later = () => life.travel(60)

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    loans = createPositionsLife(world, life)
    market = await life.adopted({ mode: 'CUSTODY' })
    await life.admit(market, [borrower.address, world.deployer.wallet.address])
    await life.fund(market, 50_000)
    await later()
    await life.openLoan(market, borrower, { collateral: 10, amount: 500, mode: 'CUSTODY' })
    await world.follow()
  })
  afterAll(() => world.close())

  const token = (functionName: string, args: readonly unknown[] = []) =>
    life.call(world.security.token, demoSecurityAbi, functionName, args)
  const compliance = async () => (await loans.read(market, 'loan/1')).compliance

  const free = {
    mode: 'CUSTODY',
    holder: lower(borrower),
    restricted: false,
    code: null,
    reason: null,
    collateralReturnable: true,
    willEscrowOnRelease: false,
    escrowedCollateral: '0',
    escrowedCollateralRaw: '0',
    holderVerified: true,
    holderAddressFrozen: false,
    tokenPaused: false,
    checkedAt: expect.any(String),
  }
  const held = (code: string) => ({
    ...free,
    restricted: true,
    code,
    reason: expect.any(String),
    collateralReturnable: false,
    willEscrowOnRelease: true,
  })

  it('can go back to its holder', async () => {
    expect(await world.roundTrips(async () => expect(await compliance()).toEqual(free))).toBe(1)
  })

  it('stays while a rule of the token stands against that, and says which', async () => {
    const { token: security, registry, compliance: rules } = world.security
    await token('pause')
    expect(await compliance()).toEqual({ ...held('TOKEN_PAUSED'), tokenPaused: true })
    await token('unpause')
    await token('setAddressFrozen', [market.adapter, true])
    expect(await compliance()).toEqual(held('ADAPTER_FROZEN'))
    await token('setAddressFrozen', [market.adapter, false])
    await life.call(rules, demoComplianceAbi, 'setMaxBalance', [units(9)])
    expect(await compliance()).toEqual(held('COMPLIANCE_REFUSED'))
    await life.call(rules, demoComplianceAbi, 'setMaxBalance', [0n])
    await life.call(registry, demoIdentityRegistryAbi, 'deleteIdentity', [borrower.address])
    expect(await compliance()).toEqual({ ...held('HOLDER_NOT_VERIFIED'), holderVerified: false })
    await life.call(registry, demoIdentityRegistryAbi, 'registerIdentity', [borrower.address, borrower.address, 276])
    await life.call(security, demoSecurityAbi, 'setAddressFrozen', [borrower.address, true])
    expect(await compliance()).toEqual({ ...held('HOLDER_FROZEN'), holderAddressFrozen: true })
  })

  it('is measured by what is pledged now, also when our record is behind', async () => {
    await token('setAddressFrozen', [borrower.address, false])
    await later()
    await loans.on(market, 'withdrawCollateral', [1n, units(1), noPrice], borrower)
    await life.call(world.security.compliance, demoComplianceAbi, 'setMaxBalance', [units(10)])
    expect(await compliance()).toMatchObject({ restricted: false })
    await life.call(world.security.compliance, demoComplianceAbi, 'setMaxBalance', [0n])
    await world.follow()
    expect((await loans.read(market, 'loan/1')).collateralAmount).toBe('9')
  })

  it('says nothing where the token says nothing, however it refuses to', async () => {
    const { testClient, publicClient } = world.node
    const address = world.security.token
    const code = await publicClient.getCode({ address })
    const unknown = { holderVerified: null, holderAddressFrozen: null, tokenPaused: null }
    const expected = {
      ...{ ...free, ...unknown, restricted: null, code: 'UNKNOWN', reason: expect.any(String) },
      ...{ collateralReturnable: null, willEscrowOnRelease: null },
    }
    // Reverts, spends all gas, answers a flood of bytes, answers nothing.
    for (const bytecode of ['0x5f5ffd', '0x5b5f56', '0x6201000080f35b5f', '0x00'] as const) {
      await testClient.setCode({ address, bytecode })
      expect(await world.roundTrips(async () => expect(await compliance()).toEqual(expected))).toBe(1)
    }
    await testClient.setCode({ address, bytecode: code ?? '0x' })
    expect(await compliance()).toEqual(free)
  })

  it('is kept for the holder when the token refuses, and history says so', async () => {
    await token('setAddressFrozen', [borrower.address, true])
    await later()
    await life.repay(market, loans.payer, 1n, 600)
    await world.follow()
    const [row] = (await loans.read(market, 'positions')).positions
    const position = await loans.read(market, `positions/${row.id}`)
    expect(position).toMatchObject({
      status: 'REPAID',
      compliance: { restricted: true, escrowedCollateral: '9', escrowedCollateralRaw: units(9).toString() },
    })
    const lines = position.transactions.map(({ txType, amount }: Record<string, string>) => [txType, amount])
    expect(lines.slice(0, 2)).toEqual([
      ['COLLATERAL_ESCROWED', '9'],
      ['CLOSE', '9'],
    ])
    expect(lines.at(-1)).toEqual(['DEPOSIT', '10'])
  })

  it('is not told when the adapter does not answer', async () => {
    const { status, body } = await world.withBroken(market.adapter, () => loans.get(market, 'loan/1'))
    expect([status, body.error?.code]).toEqual([503, 'LOAN_STATE_UNAVAILABLE'])
  })

  it('is on the statement, which is the same for everybody and at any time', async () => {
    const [row] = (await loans.read(market, 'positions')).positions
    const get = async () => {
      const url = loans.path(market, `positions/${row.id}/statement`)
      return world.app.inject({ method: 'GET', url, headers: { 'x-api-key': world.deployer.apiKey } })
    }
    const first = await get()
    expect(first.headers['content-type']).toBe('application/pdf')
    const date = row.lastUpdated.slice(0, 10)
    expect(first.headers['content-disposition']).toBe(`attachment; filename="Loan-Statement_NORD_1_${date}.pdf"`)
    world.clock.advance(3 * 86_400_000)
    await life.travel(86_400)
    expect((await get()).rawPayload.equals(first.rawPayload)).toBe(true)
    const text = drawnIn(first.rawPayload)
    for (const part of ['Loan statement NORD 1', 'REPAID', lower(borrower), 'Drawn in all500 USDX', 'kept in escrow'])
      expect(text).toContain(part)
    for (const { txHash } of row.transactions) expect(text).toContain(txHash)
  })

  it('leaves a surplus that the borrow asset refuses to pay out', async () => {
    const gated = (
      await deploy(world.node, { abi: gatedTokenAbi, bytecode: gatedTokenBytecode, args: [6] })
    ).toLowerCase() as Address
    const { address: owner } = world.deployer.wallet
    const strict = await life.adopted({ borrowAssetAddress: gated })
    await token('setAddressFrozen', [borrower.address, false])
    await life.admit(strict)
    const pay = async (spender: Address, whole: number) => {
      await life.call(gated, demoCashAbi, 'mint', [owner, units(whole, 6)])
      await life.call(gated, demoCashAbi, 'approve', [spender, units(whole, 6)])
    }
    await pay(strict.marketAddress, 20_000)
    await loans.on(strict, 'addLiquidity', [units(20_000, 6)])
    await later()
    await life.openLoan(strict, borrower, { collateral: 100, amount: 7000 })
    await loans.price(strict, 55n)
    await later()
    await loans.on(strict, 'liquidate', [1n, noPrice])
    await later()
    await loans.on(strict, 'liquidate', [1n, noPrice])
    await life.call(gated, gatedTokenAbi, 'setBlocked', [borrower.address, true])
    await pay(strict.router, 30_000)
    await loans.settle(strict, 1n, 10_000)
    await loans.settle(strict, 2n, 10_000)
    await world.follow()
    const [row] = (await loans.read(strict, 'positions')).positions
    const { surplus, status, transactions } = await loans.read(strict, `positions/${row.id}`)
    expect(status).toBe('LIQUIDATED')
    expect(Number(surplus.escrowed)).toBeGreaterThan(10_000)
    expect(surplus).toEqual({ returned: '0', escrowed: surplus.escrowed, claimable: surplus.escrowed })
    expect(transactions.map(({ txType }: Record<string, string>) => txType)).toContain('SURPLUS_ESCROWED')
  })
})

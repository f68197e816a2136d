import { demoCashAbi, demoCashBytecode } from '@tallystick/abi'
import { deploy, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps } from '../../../test/lending/curator-steps.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'

describe('a market under review', () => {
  let world: ProxiedWorld
  let steps: ReturnType<typeof createCuratorSteps>
  let market: Address
  let open: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    steps = createCuratorSteps(world)
    const request = { rateMode: 'CLAMPED', rateFloorBps: 100, rateCapBps: 900, maxLoanDurationDays: 90 }
    market = (await steps.seeking({ ...request, providerRegistry: world.security.registry })).marketAddress
    open = (await steps.seeking({ candidates: [], openToAnyCurator: true })).marketAddress
  })
  afterAll(() => world.close())

  const details = (party: Party, address: string, prefix = V2) =>
    party.get(`${prefix}/markets/queued/${address}/details`)

  it('shows what it offers, what was attested, and who may see it', async () => {
    const { data } = must(await details(world.lender, market)).body
    expect(data.market).toMatchObject({
      marketAddress: market,
      generation: 'TWO_REGISTERS',
      proposedProviderRegistry: world.security.registry,
      collateralTokenIsin: 'DE000A1EWWW0',
      seekingCurator: true,
    })
    expect(data).toMatchObject({
      isBank: true,
      wallets: [world.lender.wallet.address.toLowerCase()],
      termsStatus: { status: 'AWAITING_LENDER', version: null, contentHash: null, curatorAddress: null },
      assetData: {
        status: 'ATTESTED',
        acknowledged: null,
        version: 1,
        attestor: world.deployer.wallet.address.toLowerCase(),
        diverged: true,
        schemaVersion: '1.0.0',
        bundleAvailable: true,
      },
      offering: {
        curve: { baseBps: 200, multiplierBps: 1000, jumpBps: 10_000, kinkBps: 8000 },
        rateMode: 'CLAMPED',
        rateFloorBps: 100,
        rateCapBps: 900,
        fixedStampRateBps: null,
        maxFixedRateBps: null,
        risk: { collateralFactorBps: 7500, liquidationThresholdBps: 8500, minBorrowAmount: '100000000' },
        terms: { maxLoanDurationSeconds: 90 * 86_400, termGracePeriodSeconds: 3 * 86_400, terminalDueDate: null },
      },
      feeSplit: { infrastructureBps: 1500, operatorBps: 800, distributorBps: 500 },
      collateralToken: {
        address: world.security.token,
        onchain: { name: 'Security NORD', symbol: 'NORD', decimals: 18, identityRegistry: world.security.registry },
        issuerProvided: { issuerName: 'Nordlicht Windpark GmbH', jurisdiction: 'DE', isin: 'DE000A1EWWW0' },
      },
      disagreements: [],
    })
    expect(must(await details(world.deployer, market)).body.data.isBank).toBe(false)
    expect(must(await details(world.lender, open)).body.data.market.openToAnyCurator).toBe(true)
  })

  it('says where the chain contradicts the attested bundle', async () => {
    const other = await deploy(world.node, {
      abi: demoCashAbi,
      bytecode: demoCashBytecode,
      args: ['Renamed', 'NEW', 6, world.deployer.wallet.address],
    })
    const code = await world.node.publicClient.getCode({ address: other })
    const before = await world.node.publicClient.getCode({ address: world.security.token })
    await world.node.testClient.setCode({ address: world.security.token, bytecode: code ?? '0x' })
    const { data } = must(await details(world.lender, market)).body
    await world.node.testClient.setCode({ address: world.security.token, bytecode: before ?? '0x' })
    expect(data.disagreements).toContainEqual({ field: 'token.decimals', values: { attested: '18', onChain: '6' } })
  })

  it('knows markets that were deployed elsewhere, without a bundle', async () => {
    const elsewhere = await steps.deployElsewhere(wallet(6), { candidates: [world.lender.wallet.address] })
    const { data } = must(await details(world.lender, elsewhere)).body
    expect(data).toMatchObject({
      market: { collateralTokenIsin: null, borrowAssetSymbol: 'USDX' },
      assetData: {
        status: 'NONE',
        attested: null,
        version: 0,
        attestor: null,
        attestedAt: null,
        bundleAvailable: false,
      },
      collateralToken: { issuerProvided: null },
      disagreements: [],
    })
  })

  it('is shown to nobody else', async () => {
    expectRefusal(await details(world.outsider, market), 403, 'NOT_NOMINATED')
    expectRefusal(await details(world.outsider, open), 403, 'CURATOR_NOT_APPROVED')
    const bare = await world.createInstance()
    const path = `${V2}/markets/queued/${market}/details`
    expectRefusal(await bare.call('GET', path), 412, 'WALLET_NOT_CONFIGURED')
    expectRefusal(await details(world.lender, world.security.token), 404, 'MARKET_NOT_V2')
    expectRefusal(await details(world.lender, market, '/lending-stocks/api'), 404, 'MARKET_NOT_V2')
    expectRefusal(await details(world.lender, '0x12'), 400, 'VALIDATION_ERROR')
    const misspelt = world.lender.wallet.address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    const wrong = misspelt === world.lender.wallet.address ? misspelt.toLowerCase() : misspelt
    expectRefusal(await details(world.lender, wrong), 400, 'VALIDATION_ERROR')
  })

  it('is not shown half when the chain cannot be read', async () => {
    const lost = await world.withoutNode(() => details(world.lender, market))
    expect(expectRefusal(lost, 503, 'MARKET_VERIFICATION_UNAVAILABLE').headers['retry-after']).toBe('1')
    const broken = await world.withBroken(world.suite.factory, () => details(world.lender, market))
    expectRefusal(broken, 503, 'MARKET_VERIFICATION_UNAVAILABLE')
    await world.superuser`delete from deployed_contracts`
    expectRefusal(await details(world.lender, market), 503, 'LENDING_NOT_CONFIGURED')
  })
})

import { demoIdentityRegistryAbi, demoIdentityRegistryBytecode } from '@tallystick/abi'
import {
  controlCharsNameAbi,
  controlCharsNameBytecode,
  gasBurnerEverythingAbi,
  gasBurnerEverythingBytecode,
  hugeNameAbi,
  hugeNameBytecode,
} from '@tallystick/abi/testing'
import { deploy, wallet } from '@tallystick/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCuratorSteps } from '../../../test/lending/curator-steps.ts'
import { must, type Party, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { expectRefusal } from '../../../test/lending/setting-faults.ts'

const QUEUED = `${V2}/markets/queued`
const PENDING = `${V2}/markets/queue/pending`

describe('the queue of markets that seek a lender', () => {
  let world: ProxiedWorld
  let steps: ReturnType<typeof createCuratorSteps>
  let nominated: Address
  let open: Address
  let closed: Address
  let hostile: Address
  let adopted: Address

  beforeAll(async () => {
    world = await createProxiedWorld()
    steps = createCuratorSteps(world)
    const { registry } = world.security
    nominated = (await steps.seeking()).marketAddress
    open = (await steps.seeking({ candidates: [], openToAnyCurator: true, identityRegistry: registry })).marketAddress
    closed = (await steps.seeking({ candidates: [wallet(5).address] })).marketAddress
    const burner = await deploy(world.node, { abi: gasBurnerEverythingAbi, bytecode: gasBurnerEverythingBytecode })
    const named = await deploy(world.node, { abi: controlCharsNameAbi, bytecode: controlCharsNameBytecode })
    hostile = await steps.deployElsewhere(wallet(6), {
      collateralToken: named,
      borrowerRegistry: burner,
      isOpenToAnyCurator: true,
    })
    const life = createMarketLife(world)
    adopted = (await life.adopted({ borrowAssetAddress: await world.createCash('DONE') })).marketAddress
  })
  afterAll(() => world.close())

  const queueOf = async (party: Party) => must(await party.get(QUEUED)).body.data
  const addresses = (data: { markets: { marketAddress: string }[] }) => data.markets.map((one) => one.marketAddress)

  it('holds every market of the factory without a lender, whoever deployed it', async () => {
    const { data } = must(await world.outsider.get(PENDING)).body
    expect(addresses(data)).toEqual([nominated, open, closed, hostile])
    expect(data).toMatchObject({ total: 4, offset: 0, limit: 25 })
    expect(addresses(data)).not.toContain(adopted)
    expect(data.markets[0]).toMatchObject({
      collateralTokenAddress: world.security.token,
      collateralTokenName: 'Security NORD',
      collateralTokenSymbol: 'NORD',
      collateralTokenIsin: 'DE000A1EWWW0',
      collateralDecimals: 18,
      collateralMode: 'FREEZE',
      priceSource: 'NAV',
      identityRegistryAddress: null,
      borrowAssetSymbol: 'CASH1',
      borrowAssetDecimals: 6,
      seekingCurator: true,
      curator: null,
      realizationMode: 'UNDECLARED',
      liquidityCommitment: '0',
      openToAnyCurator: false,
      operatorShareBps: '800',
      marketDeployer: world.deployer.wallet.address.toLowerCase(),
      candidates: [world.lender.wallet.address.toLowerCase()],
      identityGate: { shape: 'none', usable: true, note: expect.stringContaining('anyone') },
    })
    expect(data.markets[1].identityGate).toEqual({ shape: 'bool', usable: true, note: null })
  })

  it('survives tokens and registers that mean it ill, and shows nothing invisible of their names', async () => {
    const { markets } = must(await world.outsider.get(PENDING)).body.data
    expect(markets[3]).toMatchObject({
      marketAddress: hostile,
      collateralTokenIsin: null,
      borrowAssetSymbol: 'USDX',
      borrowAssetDecimals: 6,
      identityGate: { shape: 'unreadable', usable: false, note: expect.stringContaining('refuses everyone') },
    })
    expect(markets[3].collateralTokenName).toMatch(/^[^\p{C}]*$/u)
    const huge = await deploy(world.node, { abi: hugeNameAbi, bytecode: hugeNameBytecode, args: [100_000n] })
    await steps.deployElsewhere(wallet(6), { collateralToken: huge })
    const { data } = must(await world.outsider.get(`${PENDING}?offset=4`)).body
    expect(data.markets).toMatchObject([{ collateralTokenAddress: huge.toLowerCase(), collateralTokenName: null }])
  })

  it.each([
    ['', 25, 0],
    ['?limit=2&offset=1', 2, 1],
    ['?limit=0&offset=0', 25, 0],
    ['?limit=-3&offset=-1', 1, 0],
    ['?limit=1000&offset=abc', 100, 0],
    ['?limit=1.5&offset=1e3', 25, 0],
    ['?offset=99', 25, 99],
  ])('is paged by %s', async (query, limit, offset) => {
    const { data } = must(await world.outsider.get(`${PENDING}${query}`)).body
    expect([data.limit, data.offset]).toEqual([limit, offset])
    expect(data.markets).toHaveLength(Math.max(0, Math.min(limit, data.total - offset)))
  })

  it('shows an instance what concerns it: nominations first, then open markets, then its own', async () => {
    const lender = await queueOf(world.lender)
    expect(lender).toMatchObject({ isBank: true, truncated: false, source: 'CHAIN' })
    expect(lender.wallets).toEqual([world.lender.wallet.address.toLowerCase()])
    expect(addresses(lender).slice(0, 1)).toEqual([nominated])
    expect(addresses(lender).slice(1)).toEqual([open, hostile].sort())
    expect(lender.markets[0]).toMatchObject({
      origin: 'NOMINATED',
      canAccept: true,
      nominatedWallets: lender.wallets,
      eligibleWallets: lender.wallets,
      recordedMarketId: null,
      nominator: { wallet: world.deployer.wallet.address.toLowerCase() },
    })
    for (const market of lender.markets.slice(1))
      expect(market).toMatchObject({ origin: 'OPEN', canAccept: false, eligibleWallets: [] })

    const own = await queueOf(world.deployer)
    expect(own.isBank).toBe(false)
    expect(own.markets.map(({ origin }: { origin: string }) => origin)).toEqual(['OPEN', 'OWN', 'OWN', 'OWN'])
    expect(own.markets[1].recordedMarketId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('tells which wallet the register of an open market verifies', async () => {
    await steps.verify(world.lender.wallet.address)
    const found = (await queueOf(world.lender)).markets.find(
      ({ marketAddress }: { marketAddress: string }) => marketAddress === open,
    )
    expect(found).toMatchObject({
      canAccept: true,
      nominatedWallets: [],
      eligibleWallets: [world.lender.wallet.address.toLowerCase()],
    })
  })

  it('costs three round trips, and two when nothing foreign has to be asked', async () => {
    expect(await world.roundTrips(() => world.outsider.get(PENDING))).toBe(3)
    expect(await world.roundTrips(() => world.outsider.get(`${PENDING}?limit=1`))).toBe(2)
  })

  it('does not guess the register of a market that does not answer', async () => {
    const { data } = must(await world.withBroken(nominated, () => world.outsider.get(`${PENDING}?limit=1`))).body
    expect(data.markets).toMatchObject([
      { marketAddress: nominated, identityRegistryAddress: null, identityGate: { shape: 'unreadable', usable: false } },
    ])
  })

  it('is cut at 25', async () => {
    const registry = await deploy(world.node, {
      abi: demoIdentityRegistryAbi,
      bytecode: demoIdentityRegistryBytecode,
      args: [world.deployer.wallet.address],
    })
    for (let turn = 0; turn < 25; turn++)
      await steps.deployElsewhere(wallet(6), { isOpenToAnyCurator: true, borrowerRegistry: registry })
    const queue = await queueOf(world.outsider)
    expect([queue.markets.length, queue.truncated]).toEqual([25, true])
  })

  it('serves markets on our own stock tokens only under the prefix for stocks', async () => {
    const { data } = must(await world.outsider.get('/lending-stocks/api/markets/queue/pending')).body
    expect(data).toMatchObject({ markets: [], total: 0 })
  })

  it('is never an empty list because something failed', async () => {
    for (const path of [PENDING, QUEUED]) {
      const lost = await world.withoutNode(() => world.lender.get(path))
      expect(expectRefusal(lost, 503, 'FACTORY_READ_FAILED').headers['retry-after']).toBe('1')
      const broken = await world.withBroken(world.suite.factory, () => world.lender.get(path))
      expectRefusal(broken, 503, 'FACTORY_UNREADABLE')
    }
    await world.superuser`delete from deployed_contracts`
    for (const path of [PENDING, QUEUED]) expectRefusal(await world.lender.get(path), 503, 'LENDING_NOT_CONFIGURED')
  })
})

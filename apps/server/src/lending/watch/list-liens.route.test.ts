import { demoCashAbi, demoIdentityRegistryAbi, demoSecurityAbi } from '@tallystick/abi'
import { type Wallet, wallet } from '@tallystick/testkit'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must, units, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { systemRandom } from '../../platform/random.ts'
import { abis } from '../contracts.ts'
import { createLienWatch } from './watch-liens.service.ts'

const HOOKS = '/lending-external-securities/api/hooks'
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }
const lower = (address: string) => address.toLowerCase()

describe('liens', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let frozen: LiveMarket
  let custody: LiveMarket
  const borrower = wallet(3)
  const other = wallet(4)
  const crowd = Array.from({ length: 9 }, (_, index) => wallet(10 + index))

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    frozen = await life.adopted()
    custody = await life.adopted({ mode: 'CUSTODY' })
    await life.admit(
      frozen,
      [borrower, other, ...crowd].map(({ address }) => address),
    )
    await life.admit(custody)
    for (const market of [frozen, custody]) await life.fund(market, 100_000)
    await life.openLoan(frozen, borrower, { collateral: 10, amount: 100 })
    await life.openLoan(custody, borrower, { collateral: 20, amount: 100, mode: 'CUSTODY' })
    await world.follow()
  })
  afterAll(() => world.close())

  const watch = () => createLienWatch({ database: world.database, clock: world.clock, random: systemRandom })
  const served = () => {
    const [chain] = world.chains.all
    if (!chain) throw new Error('no chain')
    return chain
  }
  const pass = () => watch().pass(served())
  const liens = async (market = frozen, query = '') =>
    must(await world.deployer.get(`${V2}/markets/${market.marketId}/liens${query}`)).body.data
  const token = (functionName: string, args: readonly unknown[], account?: Wallet, of = world.security.token) =>
    life.call(of, demoSecurityAbi, functionName, args, account)
  const unfreeze = (whole: number, of: Address = borrower.address) => token('unfreezePartialTokens', [of, units(whole)])
  const freeze = (whole: number, of: Address = borrower.address) => token('freezePartialTokens', [of, units(whole)])
  async function withCode<T>(address: Address, bytecode: Hex, work: () => Promise<T>): Promise<T> {
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode })
    return work().finally(() => world.node.testClient.setCode({ address, bytecode: code ?? '0x' }))
  }
  const reorg = (depth: number) =>
    world.node.publicClient.request({ method: 'anvil_reorg', params: [depth, []] } as never)

  it('are not known before anybody looked', async () => {
    expect(await liens()).toEqual({
      marketId: frozen.marketId,
      adapterAddress: frozen.adapter,
      mode: 'FREEZE',
      intact: null,
      lastPass: null,
      open: [],
      healed: [],
      limit: 50,
      nextCursor: null,
    })
  })

  it('are intact while everything is frozen or held, and the time of the look is told', async () => {
    expect(await pass()).toMatchObject({ wallets: 2, unread: 0, opened: 0, healed: 0 })
    const { intact, lastPass } = await liens()
    const { number, timestamp } = await world.node.publicClient.getBlock()
    expect([intact, lastPass]).toEqual([
      true,
      {
        at: expect.any(String),
        ageSeconds: 0,
        blockNumber: number.toString(),
        chainTime: Number(timestamp),
        wallets: 1,
        unread: 0,
      },
    ])
    expect(await liens(custody)).toMatchObject({ mode: 'CUSTODY', intact: true, lastPass: { wallets: 1, unread: 0 } })
    world.clock.advance(90_000)
    expect((await liens()).lastPass.ageSeconds).toBeGreaterThanOrEqual(90)
  })

  it('are short when an agent unfreezes, burns or moves what is pledged, and heal when it is back', async () => {
    await unfreeze(4)
    expect(await pass()).toMatchObject({ opened: 1, healed: 0 })
    const { intact, open, healed } = await liens()
    const [short] = open
    expect([intact, open, healed]).toEqual([
      false,
      [
        {
          id: expect.any(String),
          holder: lower(borrower.address),
          expected: '10',
          found: '6',
          missing: '4',
          pledged: '10',
          blockNumber: expect.any(String),
          noticedAt: expect.any(String),
        },
      ],
      [],
    ])
    expect((await liens(custody)).intact).toBe(true)

    // It gets worse, and stays the same shortfall: burned units are gone from the balance too.
    await token('burn', [borrower.address, units(7)])
    expect(await pass()).toMatchObject({ opened: 0, healed: 0 })
    expect((await liens()).open).toEqual([{ ...short, found: '3', missing: '7' }])

    await token('mint', [borrower.address, units(7)])
    expect(await pass()).toMatchObject({ opened: 0, healed: 0 })
    await freeze(7)
    expect(await pass()).toMatchObject({ opened: 0, healed: 1 })
    const after = await liens()
    expect(after).toMatchObject({ intact: true, open: [] })
    expect(after.healed).toEqual([{ ...short, found: '3', missing: '7', healedAt: expect.any(String) }])
  })

  it('in custody are short when the adapter holds less than pledges and escrow together', async () => {
    const loanId = await life.openLoan(custody, other, { collateral: 5, amount: 100, mode: 'CUSTODY' })
    await world.follow()
    // The token refuses the return, so the adapter keeps it for the holder.
    await token('setAddressFrozen', [other.address, true])
    await life.repay(custody, other, loanId, 200)
    await token('setAddressFrozen', [other.address, false])
    await world.follow()
    expect(await pass()).toMatchObject({ opened: 0 })
    expect((await liens(custody)).intact).toBe(true)
    await token('forcedTransfer', [custody.adapter, borrower.address, units(1)])
    expect(await pass()).toMatchObject({ opened: 1 })
    expect((await liens(custody)).open).toMatchObject([
      { holder: custody.adapter, expected: '25', found: '24', missing: '1', pledged: '25' },
    ])
    await token('transfer', [custody.adapter, units(1)], borrower)
    expect(await pass()).toMatchObject({ healed: 1 })
  })

  it('of several markets on one wallet are added up, and each market is told', async () => {
    const euro = await world.createCash('EURX')
    const second = await life.adopted({ borrowAssetAddress: euro })
    await life.admit(second)
    const { wallet: provider } = world.deployer
    await life.call(euro, demoCashAbi, 'mint', [provider.address, parseUnits('10000', 6)])
    await life.call(euro, demoCashAbi, 'approve', [second.marketAddress, parseUnits('10000', 6)], provider)
    await life.call(second.marketAddress, abis.market, 'addLiquidity', [parseUnits('10000', 6)], provider)
    await life.openLoan(second, borrower, { collateral: 5, amount: 100 })
    await world.follow()
    expect(await pass()).toMatchObject({ opened: 0, wallets: 3 })
    await unfreeze(1)
    expect(await pass()).toMatchObject({ opened: 2 })
    const holder = lower(borrower.address)
    expect((await liens()).open).toMatchObject([{ holder, expected: '15', found: '14', pledged: '10' }])
    expect((await liens(second)).open).toMatchObject([{ holder, expected: '15', found: '14', pledged: '5' }])
    await freeze(1)
    expect(await pass()).toMatchObject({ healed: 2 })
  })

  it('of a token that does not answer are not known: nothing opens, nothing heals, no other market is touched', async () => {
    const security = await world.createSecurity('ODD')
    await world.importToken(world.deployer, security.token)
    const odd = await life.adopted({ collateralTokenAddress: security.token })
    await life.admit(odd, [borrower.address], security)
    await life.fund(odd, 10_000)
    await token('mint', [borrower.address, units(10)], undefined, security.token)
    await life.call(odd.marketAddress, abis.market, 'openLoan', [units(10), parseUnits('100', 6), noPrice], borrower)
    await world.follow()
    expect(await pass()).toMatchObject({ unread: 0 })
    await unfreeze(1)
    const hostile: [string, Hex][] = [
      ['burns all gas', '0x5b600056'],
      ['reverts', '0x5f5ffd'],
      ['answers nothing', '0x00'],
      ['answers without end', '0x62ffffff5ff3'],
      ['is gone', '0x'],
    ]
    for (const [what, code] of hostile)
      await withCode(security.token, code, async () => {
        expect([what, await pass()]).toMatchObject([what, { unread: 1 }])
        expect([what, await liens(odd)]).toMatchObject([what, { intact: null, open: [], lastPass: { unread: 1 } }])
        expect((await liens()).intact).toBe(false)
      })
    await freeze(1)
    // Known to be short, then silent: still short.
    await token('unfreezePartialTokens', [borrower.address, units(2)], undefined, security.token)
    await pass()
    await withCode(security.token, '0x5b600056', async () => {
      await pass()
      expect(await liens(odd)).toMatchObject({ intact: false, open: [{ found: '8' }], lastPass: { unread: 1 } })
      expect((await liens()).intact).toBe(true)
    })
    // It lies: its own market is told, and no other.
    await withCode(security.token, '0x60015f5260205ff3', async () => {
      await pass()
      expect((await liens(odd)).open).toMatchObject([{ found: '0.000000000000000001' }])
      expect((await liens()).intact).toBe(true)
    })
    await token('freezePartialTokens', [borrower.address, units(2)], undefined, security.token)
    await pass()
    expect((await liens(odd)).intact).toBe(true)
  })

  it('end with what is pledged: a loan that is repaid lacks nothing', async () => {
    const loanId = await life.openLoan(frozen, other, { collateral: 5, amount: 100 })
    await world.follow()
    await unfreeze(1, other.address)
    expect(await pass()).toMatchObject({ opened: 1 })
    await life.repay(frozen, other, loanId, 200)
    expect(await pass()).toMatchObject({ healed: 1 })
    await world.follow()
    expect(await pass()).toMatchObject({ opened: 0, healed: 0 })
  })

  it('follow a pledge that is rebound to the wallet to which the holder was recovered', async () => {
    const [lost, found] = [wallet(20), wallet(21)]
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [
      lost.address,
      lost.address,
      276,
    ])
    await world.node.testClient.setBalance({ address: lost.address, value: units(1) })
    const loanId = await life.openLoan(frozen, lost, { collateral: 5, amount: 100 })
    await world.follow()
    await life.call(world.security.registry, demoIdentityRegistryAbi, 'registerIdentity', [
      found.address,
      lost.address,
      276,
    ])
    await token('forcedTransfer', [lost.address, found.address, units(5)])
    expect(await pass()).toMatchObject({ opened: 1 })
    expect((await liens()).open).toMatchObject([{ holder: lower(lost.address), expected: '5', found: '0' }])
    await life.call(frozen.marketAddress, abis.market, 'rebindPledge', [loanId, found.address])
    // Before the record knows the new wallet, the old one is no longer held to anything.
    expect(await pass()).toMatchObject({ opened: 0, healed: 1 })
    await world.follow()
    expect(await pass()).toMatchObject({ opened: 0, healed: 0 })
    await unfreeze(1, found.address)
    expect(await pass()).toMatchObject({ opened: 1 })
    expect((await liens()).open).toMatchObject([{ holder: lower(found.address), expected: '5', found: '4' }])
    await freeze(1, found.address)
    await pass()
  })

  it('tell the hooks of the market in the same breath, once, and again when it is over', async () => {
    const wish = { name: 'liens', kind: 'LIEN_SHORTFALL', url: 'https://8.8.8.8/' }
    const { id } = must(await world.deployer.post(`${HOOKS}/${frozen.marketId}`, wish)).body.data
    const told = async () => {
      const rows =
        await world.superuser`select type, body from hook_deliveries where hook_id = ${id} order by delivery_id`
      return rows.map(({ body }) => JSON.parse(body))
    }
    await unfreeze(2)
    await Promise.all([pass(), pass()])
    await pass()
    const [event, ...rest] = await told()
    expect(rest).toEqual([])
    expect(event).toMatchObject({
      type: 'lien.shortfall',
      data: {
        hookId: id,
        marketId: frozen.marketId,
        marketAddress: frozen.marketAddress,
        adapterAddress: frozen.adapter,
        tokenAddress: world.security.token,
        holder: lower(borrower.address),
        expected: '15',
        found: '13',
        missing: '2',
        pledged: '10',
      },
    })
    expect(must(await world.deployer.get(`${HOOKS}/${frozen.marketId}/${id}`)).body.data.holding).toBe(1)
    await freeze(2)
    await pass()
    expect(await told()).toMatchObject([{ type: 'lien.shortfall' }, { type: 'lien.healed', data: { undone: false } }])
  })

  it('that a reorganization makes whole were never short', async () => {
    const before = await liens()
    await unfreeze(2)
    expect(await pass()).toMatchObject({ opened: 2 })
    await reorg(1)
    expect(await pass()).toMatchObject({ opened: 0, healed: 2 })
    const after = await liens()
    expect([after.intact, after.open, after.healed]).toEqual([true, [], before.healed])
    const [last] = await world.superuser`select body from hook_deliveries order by delivery_id desc limit 1`
    expect(JSON.parse(last?.body)).toMatchObject({ type: 'lien.healed', data: { undone: true } })

    // Short in the new chain too: the same shortfall, seen in a block that stands.
    await unfreeze(2)
    await pass()
    const [short] = (await liens()).open
    await reorg(1)
    await unfreeze(1)
    expect(await pass()).toMatchObject({ opened: 0, healed: 0 })
    const [again] = (await liens()).open
    expect(again).toMatchObject({ id: short.id, missing: '1', noticedAt: short.noticedAt })
    await freeze(1)
    await pass()
    expect((await liens()).healed[0]).toMatchObject({ id: short.id })
  })

  it('are looked at by one worker at a time, in portions, all at one block', async () => {
    for (const holder of crowd) {
      await world.node.testClient.setBalance({ address: holder.address, value: units(1) })
      await life.openLoan(frozen, holder, { collateral: 3, amount: 100 })
    }
    await world.follow()
    await unfreeze(1, wallet(18).address)
    world.proxy.requests.length = 0
    const reports = await world.togetherAtNode([pass, pass, pass])
    expect(reports.filter((report) => report !== null)).toMatchObject([{ opened: 1, unread: 0, wallets: 14 }])
    // One request for the block, one for all portions, for each of the three.
    expect(world.proxy.requests).toHaveLength(6)
    expect((await liens()).open).toMatchObject([{ holder: lower(wallet(18).address), missing: '1' }])
    const paused = createLienWatch({ ...world, random: systemRandom, pauseMs: 60_000 })
    expect(await paused.pass(served())).toBeNull()
    expect(await paused.state(served().chainId)).toMatchObject({ open: 1, unread: 0, lastPass: expect.any(Date) })
    await freeze(1, wallet(18).address)
    await pass()
  })

  it('are left as they were when no node answers', async () => {
    const before = await liens()
    await expect(world.withoutNode(pass)).rejects.toThrow('no usable answer')
    expect({ ...(await liens()), lastPass: null }).toEqual({ ...before, lastPass: null })
    // It tells the block, but not how contracts stood there.
    world.proxy.replaceAnswer = ({ method }) =>
      method === 'eth_call' ? { error: { code: -1, message: 'no' } } : undefined
    await expect(pass()).rejects.toThrow('no lien could be read')
    world.proxy.replaceAnswer = undefined
  })

  it('that healed are listed page by page, newest first', async () => {
    const all = (await liens()).healed
    expect(all.length).toBeGreaterThan(3)
    const first = await liens(frozen, '?limit=2')
    const second = await liens(frozen, `?limit=200&cursor=${first.nextCursor}`)
    expect([...first.healed, ...second.healed]).toEqual(all)
    expect([first.limit, second.limit, second.nextCursor]).toEqual([2, 200, null])
    const bad = await world.deployer.get(`${V2}/markets/${frozen.marketId}/liens?cursor=x`)
    expect([bad.status, bad.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(bad.body.error.details).toEqual([{ field: 'cursor', message: 'is none of this list' }])
  })
})

import { rawTransaction, wallet } from '@tallystick/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must, units } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { createProxiedWorld, type ProxiedWorld } from '../../../test/lending/proxied-world.ts'
import { startReceiver } from '../../../test/lending/watch-receiver.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createOutgoingTargets } from '../../platform/outgoing/outgoing-targets.ts'
import { systemRandom } from '../../platform/random.ts'
import { abis } from '../contracts.ts'
import { startDeliveryJob, startWatchJob } from './watch.job.ts'
import { createAlertWatch } from './watch-alerts.service.ts'

const HOOKS = '/lending-external-securities/api/hooks'
const HOUR = 3_600
const DAY = 24 * HOUR
const noPrice = { price: 0n, timestamp: 0n, validUntil: 0n, signature: '0x' as Hex }

describe('rules', () => {
  let world: ProxiedWorld
  let life: MarketLife
  let market: LiveMarket
  let other: LiveMarket
  let loanId: bigint
  const borrower = wallet(3)
  const log = createLog({ level: 'silent' })

  beforeAll(async () => {
    world = await createProxiedWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await life.admit(market, [borrower.address])
    await life.fund(market, 100_000)
    await life.call(
      market.marketAddress,
      abis.market,
      'setTermConfig',
      [30 * DAY, 2 * DAY, 0, 0],
      world.deployer.wallet,
    )
    loanId = await life.openLoan(market, borrower, { collateral: 10, amount: 500 })
    other = await life.adopted({ mode: 'CUSTODY' })
    await world.follow()
  })
  afterAll(() => world.close())
  beforeEach(() => world.superuser`delete from hooks`)

  const watch = (more: { pauseMs?: number } = {}) => createAlertWatch({ ...world, random: systemRandom, log, ...more })
  const served = () => {
    const [chain] = world.chains.all
    if (!chain) throw new Error('no chain')
    return chain
  }
  // A new one each time, as after a restart: what was told stands in the database alone.
  const pass = () => watch().pass(served())
  async function createHook(wish: Record<string, unknown>, of = market) {
    const body = { name: 'rule', url: 'https://8.8.8.8/', ...wish }
    return must(await world.deployer.post(`${HOOKS}/${of.marketId}`, body)).body.data as { id: string }
  }
  async function told({ id }: { id: string }) {
    const rows = await world.superuser`select body from hook_deliveries where hook_id = ${id} order by delivery_id`
    return rows.map(({ body }) => JSON.parse(body))
  }
  const typesOf = async (hook: { id: string }) => (await told(hook)).map(({ type }) => type)
  const holding = async ({ id }: { id: string }) =>
    must(await world.deployer.get(`${HOOKS}/${market.marketId}/${id}`)).body.data.holding
  async function setPrice(whole: number) {
    await life.travel(2 * HOUR)
    await life.call(market.oracle, abis.oracle, 'updatePrice', [units(whole, 6)], world.deployer.wallet)
  }
  const health = async () =>
    Number(
      await world.node.publicClient.readContract({
        address: market.marketAddress,
        abi: abis.market,
        functionName: 'healthFactor',
        args: [loanId],
      }),
    ) / 1e18

  it('cost nothing when there are none', async () => {
    expect(await world.roundTrips(pass)).toBe(0)
  })

  it('tell of a loan whose health falls below the threshold, once, and again after it recovered', async () => {
    const border = (await health()) * 0.95
    const low = await createHook({ kind: 'HEALTH_BELOW', threshold: border.toFixed(6) })
    const high = await createHook({ kind: 'HEALTH_BELOW', threshold: '900' })
    const off = await createHook({ kind: 'HEALTH_BELOW', threshold: '900', active: false })
    expect(await pass()).toEqual({ hooks: 2, messages: 1, unread: 0 })
    expect(await typesOf(low)).toEqual([])
    await setPrice(91)
    expect(await pass()).toMatchObject({ messages: 1 })
    const [event] = await told(low)
    expect(event).toEqual({
      type: 'loan.health_below',
      timestamp: expect.any(String),
      data: {
        hookId: low.id,
        marketId: market.marketId,
        chainId: world.node.chainId,
        marketAddress: market.marketAddress,
        blockNumber: expect.any(String),
        chainTime: expect.any(Number),
        loanId: loanId.toString(),
        borrower: borrower.address.toLowerCase(),
        debt: expect.stringMatching(/^500\./),
        collateral: '10',
        healthFactor: expect.any(String),
        threshold: String(Number(border.toFixed(6))),
      },
    })
    expect(Number(event.data.healthFactor)).toBeLessThan(border)
    expect(await pass()).toMatchObject({ messages: 0 })
    expect(await holding(low)).toBe(1)
    await setPrice(100)
    expect(await pass()).toMatchObject({ messages: 0 })
    expect(await holding(low)).toBe(0)
    await setPrice(91)
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await typesOf(low)).toEqual(['loan.health_below', 'loan.health_below'])
    expect(await typesOf(high)).toEqual(['loan.health_below'])
    expect(await typesOf(off)).toEqual([])
    // Another threshold is another rule: what holds is told again.
    must(await world.deployer.call('PUT', `${HOOKS}/${market.marketId}/${high.id}`, { body: { threshold: '800' } }))
    must(await world.deployer.call('PUT', `${HOOKS}/${market.marketId}/${low.id}`, { body: { name: 'renamed' } }))
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await typesOf(high)).toEqual(['loan.health_below', 'loan.health_below'])
    await setPrice(100)
  })

  it('tell of a loan that is due soon and of a price that grows old, by the clock of the chain', async () => {
    const { timestamp } = await world.node.publicClient.getBlock()
    const { effectiveDueAt } = await world.node.publicClient.readContract({
      address: market.marketAddress,
      abi: abis.market,
      functionName: 'loan',
      args: [loanId],
    })
    const left = Number(effectiveDueAt - timestamp)
    const due = await createHook({ kind: 'DUE_WITHIN', seconds: left - 1_000 })
    const stale = await createHook({ kind: 'PRICE_OLDER_THAN', seconds: 5_000 })
    world.clock.advance(1_000 * 1_000)
    expect(await pass()).toMatchObject({ messages: 0 })
    await life.travel(1_010)
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await told(due)).toMatchObject([
      {
        type: 'loan.due_within',
        data: {
          loanId: loanId.toString(),
          dueAt: Number(effectiveDueAt),
          seconds: left - 1_000,
          debt: expect.any(String),
        },
      },
    ])
    expect((await told(due))[0].data.secondsLeft).toBeLessThanOrEqual(left - 1_000)
    await life.travel(4_500)
    expect(await pass()).toMatchObject({ messages: 1 })
    const [event] = await told(stale)
    expect(event).toMatchObject({ type: 'price.older_than', data: { oracleAddress: market.oracle, seconds: 5_000 } })
    expect(event.data.ageSeconds).toBe(event.data.chainTime - event.data.priceUpdatedAt)
    expect(await pass()).toMatchObject({ messages: 0 })
    await setPrice(100)
    expect(await pass()).toMatchObject({ messages: 0 })
    expect([await holding(stale), await holding(due)]).toEqual([0, 1])
  })

  it('keep quiet about a market that does not answer, and keep what they told; others go on', async () => {
    const silent = await createHook({ kind: 'HEALTH_BELOW', threshold: '900' })
    await pass()
    const elsewhere = await createHook({ kind: 'PRICE_OLDER_THAN', seconds: 1 }, other)
    await life.travel(5)
    await world.withBroken(market.marketAddress, async () => {
      expect(await pass()).toMatchObject({ messages: 1, unread: 0 })
      expect(await holding(silent)).toBe(1)
    })
    expect(await typesOf(elsewhere)).toEqual(['price.older_than'])
    world.proxy.replaceAnswer = ({ method, params }) =>
      method === 'eth_call' && JSON.stringify(params).includes(market.marketAddress.slice(2))
        ? { error: { code: -1, message: 'no' } }
        : undefined
    expect(await pass()).toMatchObject({ messages: 0, unread: 1 })
    world.proxy.replaceAnswer = undefined
    expect(await holding(silent)).toBe(1)
    await expect(world.withoutNode(pass)).rejects.toThrow('no usable answer')
    expect(await pass()).toMatchObject({ messages: 0, unread: 0 })
  })

  it('are evaluated by one worker at a time, all at one block', async () => {
    const hook = await createHook({ kind: 'HEALTH_BELOW', threshold: '900' })
    await createHook({ kind: 'PRICE_OLDER_THAN', seconds: 1 }, other)
    world.proxy.requests.length = 0
    const reports = await world.togetherAtNode([pass, pass, pass])
    expect(reports.filter((report) => report !== null)).toMatchObject([{ messages: 2 }])
    expect(await typesOf(hook)).toEqual(['loan.health_below'])
    // The block, and one request for each market.
    expect(world.proxy.requests).toHaveLength(3 * 3)
    expect(await watch({ pauseMs: 60_000 }).pass(served())).toBeNull()
  })

  it('tell of a shortfall that was there before the hook', async () => {
    await world.superuser`
      insert into lien_shortfalls (shortfall_id, chain_id, adapter, holder, token, expected, found, pledged, block_number, block_hash, noticed_at)
      values (gen_random_uuid(), ${world.node.chainId}, ${market.adapter}, ${market.adapter}, ${world.security.token}, 2, 1, 2, 1, '0x', now())`
    const hook = await createHook({ kind: 'LIEN_SHORTFALL' })
    await createHook({ kind: 'LIEN_SHORTFALL' }, other)
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await pass()).toMatchObject({ messages: 0 })
    await world.superuser`delete from lien_shortfalls`
    expect(await pass()).toMatchObject({ messages: 0 })
    expect(await typesOf(hook)).toEqual(['lien.shortfall'])
  })

  it('tell of what a reorganization undid, unless it was mined again', async () => {
    const hook = await createHook({ kind: 'FACT_ORPHANED' })
    await createHook({ kind: 'FACT_ORPHANED' }, other)
    await life.openLoan(market, borrower, { collateral: 10, amount: 100 })
    await world.follow()
    expect(await pass()).toMatchObject({ messages: 0 })
    await world.node.publicClient.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await world.follow()
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await pass()).toMatchObject({ messages: 0 })
    const [event] = await told(hook)
    expect(event).toMatchObject({ type: 'fact.orphaned', data: { marketAddress: market.marketAddress } })
    const lost = event.data.facts.map(({ operation }: { operation: string }) => operation)
    expect(lost).toEqual(expect.arrayContaining(['market.LoanOpened', 'freezeAdapter.Locked']))
    expect(event.data.facts[0]).toEqual({
      contract: expect.any(String),
      operation: expect.any(String),
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      noticedAt: expect.any(String),
    })

    // The same transaction again, in a block of the new chain.
    const later = await createHook({ kind: 'FACT_ORPHANED' })
    await setPrice(100)
    await world.follow()
    const { transactions } = await world.node.publicClient.getBlock()
    const raw = await rawTransaction(world.node, transactions[0] ?? '0x')
    await world.node.publicClient.request({ method: 'anvil_reorg', params: [1, [[raw, 0]]] } as never)
    // A node may answer before the transaction is in a block again.
    const kindsTold = async () => {
      await world.follow()
      const notices = await world.superuser`
        select kind from chain_notices where tx_hash = ${transactions[0] ?? ''} order by kind`
      return notices.map(({ kind }) => kind)
    }
    await expect.poll(kindsTold).toEqual(['FACT_ORPHANED', 'FACT_RESTORED'])
    expect(await pass()).toMatchObject({ messages: 0 })
    expect(await told(later)).toEqual([])
  })

  it('tell of a seizure, and of none that lies before the hook', async () => {
    const small = await life.openLoan(market, borrower, { collateral: 10, amount: 100 })
    await life.travel(33 * DAY)
    await setPrice(100)
    const seize = (loan: bigint) =>
      life.call(market.marketAddress, abis.market, 'liquidate', [loan, noPrice], world.deployer.wallet)
    await seize(small)
    await world.follow()
    const hook = await createHook({ kind: 'LOAN_SEIZED' })
    expect(await pass()).toMatchObject({ messages: 0 })
    const { transactionHash } = await seize(loanId)
    await world.follow()
    expect(await pass()).toMatchObject({ messages: 1 })
    expect(await pass()).toMatchObject({ messages: 0 })
    expect(await told(hook)).toMatchObject([
      {
        type: 'loan.seized',
        data: {
          loanId: loanId.toString(),
          marketLiquidationId: '2',
          destination: market.router,
          collateral: expect.any(String),
          claim: expect.any(String),
          totalDebt: expect.stringMatching(/^5\d\d\./),
          isTerm: true,
          txHash: transactionHash,
        },
      },
    ])
  })

  it('are kept going by the jobs of the worker, from the chain to the receiver', async () => {
    const receiver = await startReceiver()
    const targets = createOutgoingTargets({ allowedHosts: `127.0.0.1:${receiver.port}` })
    const hook = await createHook({ kind: 'PRICE_OLDER_THAN', seconds: 1 })
    await world.superuser`update hooks set url = ${receiver.url} where hook_id = ${hook.id}`
    await life.travel(5)
    const metrics = createMetrics()
    const parts = { ...world, random: systemRandom, log, metrics }
    const jobs = [startWatchJob({ ...parts, chain: served(), intervalMs: 50 }), startDeliveryJob({ ...parts, targets })]
    await expect.poll(() => receiver.received.length).toBe(1)
    await world.withoutNode(async () => {
      await expect
        .poll(() => metrics.registry.metrics())
        .toContain('tally_watch_errors_total{chain="31337",watch="liens"}')
    })
    await Promise.all(jobs.map((job) => job.stop()))
    expect(receiver.take()).toMatchObject([{ body: { type: 'price.older_than' } }])
    await receiver.stop()
    const shown = await metrics.registry.metrics()
    expect(shown).toContain('tally_webhook_attempts_total{status="DELIVERED"} 1')
    expect(shown).toContain('tally_lien_shortfalls_open{chain="31337"} 0')
    expect(shown).toMatch(/tally_liens_checked_timestamp_seconds\{chain="31337"\} \d+/)
  })
})

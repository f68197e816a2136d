import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFeesLife, type FeesLife } from '../../../test/lending/fees-life.ts'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import type { LiveMarket } from '../../../test/lending/market-life.ts'
import { type RpcProxy, rpcProxy } from '../../../test/rpc-proxy.ts'

describe('what a market says about its fees', () => {
  let proxy: RpcProxy
  let world: LendingWorld
  let life: FeesLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld({
      rpcUrls: async (node) => {
        proxy = await rpcProxy(node.url)
        return [proxy.url]
      },
    })
    life = createFeesLife(world)
    await life.flatFees(5_000_000n, 0n)
    market = await life.earning()
  })
  afterAll(async () => {
    await proxy.stop()
    await world.close()
  })

  const get = (path: string) => world.deployer.get(`${V2}/markets/${market.marketId}/${path}`)
  async function unavailable(path: string) {
    const answer = await get(path)
    expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
      503,
      'MARKET_STATE_UNAVAILABLE',
      '1',
    ])
  }

  it('is the split of interest, whose five parts are the whole, and the flat fees', async () => {
    await life.insuranceRate(market, 500)
    proxy.requests.length = 0
    const { data } = must(await get('fee-split')).body
    expect(proxy.requests).toHaveLength(1)
    const operator = world.deployer.wallet.address.toLowerCase()
    expect(data).toMatchObject({
      readFailed: false,
      generation: 'FIXED_SHARES',
      fixedShares: true,
      operatorWallet: operator,
      seekingCurator: false,
      distributorRecipients: 'NONE',
      transactionFees: { openFeeRaw: '5000000', openFee: '5', repayFee: '0', capBps: 50, enabled: true },
    })
    const rows = data.legs.map((leg: Record<string, unknown>) => [
      leg.key,
      leg.rateBps,
      leg.effectiveBps,
      leg.perHundred,
    ])
    expect(rows).toEqual([
      ['INFRASTRUCTURE', 1500, '1500', '15'],
      ['OPERATOR', 800, '680', '6.8'],
      ['DISTRIBUTOR', 500, '425', '4.25'],
      ['INSURANCE_FUND', 500, '369.75', '3.6975'],
      ['LIQUIDITY_PROVIDERS', null, '7025.25', '70.2525'],
    ])
    expect(data.legs.map((leg: Record<string, unknown>) => leg.recipient)).toEqual([
      wallet(9).address.toLowerCase(),
      operator,
      null,
      market.fund,
      null,
    ])
    await life.connectedVault(market, 0, 1)
    expect(must(await get('fee-split')).body.data.distributorRecipients).toBe('VAULT_DISTRIBUTORS')
  })

  it('is in the cash flows as soon as the record knows, and they say up to which block that is', async () => {
    await world.follow()
    proxy.requests.length = 0
    const { data, metadata } = must(await get('cashflows')).body
    expect(proxy.requests).toHaveLength(1)
    expect(data).toMatchObject({
      totals: { interestCollected: { raw: '0', value: '0' }, realizationSplits: 0 },
      reconciliation: { operator: { outstandingRaw: '0', balanced: true } },
      loan: null,
      history: { complete: true, syncedBlock: metadata.blockNumber },
    })
    const loanId = await life.openLoan(market, wallet(3), { collateral: 1_000, amount: 10_000 })
    // The record lags behind: it says so, and holds what it knows against the books of that moment.
    const behind = must(await get('cashflows')).body.data
    expect(behind).toMatchObject({ totals: { openFees: { value: '0' } }, history: { complete: false } })
    expect(behind.reconciliation.infrastructure.balanced).toBe(true)
    await world.follow()
    const now = must(await get('cashflows')).body.data
    expect(now.legs.infrastructure).toMatchObject({ accrued: { value: '4.35' }, pending: { raw: '4350000' } })
    expect(now.reconciliation.infrastructure).toEqual({ outstandingRaw: '4350000', balanced: true })
    proxy.requests.length = 0
    const ofLoan = must(await get(`cashflows?loanId=${loanId}`)).body.data
    expect(proxy.requests).toHaveLength(1)
    expect(ofLoan).toMatchObject({
      legs: { infrastructure: { accrued: { value: '4.35' }, paid: null, pending: null } },
      reconciliation: null,
      loan: { loanId: String(loanId), status: 'ACTIVE', balanced: true },
    })
  })

  it('is refused for a loan that is none', async () => {
    const refused = async (loanId: string, status: number, code: string) => {
      const answer = await get(`cashflows?loanId=${loanId}`)
      expect([answer.status, answer.body.error.code]).toEqual([status, code])
    }
    await refused('99', 404, 'LOAN_NOT_FOUND')
    for (const loanId of ['0', '-1', 'abc', '1'.repeat(19), '']) await refused(loanId, 400, 'VALIDATION_ERROR')
  })

  it('is null or unavailable, never made up, when the market or the chain does not answer', async () => {
    const address = market.marketAddress
    const code = await world.node.publicClient.getCode({ address })
    await world.node.testClient.setCode({ address, bytecode: '0x' })
    await world.node.testClient.mine({ blocks: 1 })
    const { data } = must(await get('fee-split')).body
    expect(data).toMatchObject({ readFailed: true, generation: null, operatorWallet: null, transactionFees: null })
    await world.follow()
    await unavailable('cashflows')
    await unavailable('cashflows?loanId=1')
    await world.node.testClient.setCode({ address, bytecode: code ?? '0x' })
    proxy.replaceResponse = { status: 500, body: 'out of order' }
    await unavailable('fee-split')
    await unavailable('cashflows')
    proxy.replaceResponse = undefined
    // A node that has thrown the state of that block away.
    proxy.replaceAnswer = ({ method }) =>
      method === 'eth_call' ? { error: { code: -32000, message: 'missing trie node' } } : undefined
    await unavailable('cashflows')
    proxy.replaceAnswer = undefined
  })

  it('is unavailable until the events of a new market have been read', async () => {
    const other = await life.earning({ mode: 'CUSTODY' }, 0)
    const answer = await world.deployer.get(`${V2}/markets/${other.marketId}/cashflows`)
    expect([answer.status, answer.body.error.code]).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
    const ofLoan = await world.deployer.get(`${V2}/markets/${other.marketId}/cashflows?loanId=1`)
    expect([ofLoan.status, ofLoan.body.error.code]).toEqual([503, 'MARKET_STATE_UNAVAILABLE'])
  })
})

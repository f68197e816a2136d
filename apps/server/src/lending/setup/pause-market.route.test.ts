import { wallet } from '@tallystick/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLendingWorld, type LendingWorld, must, V2 } from '../../../test/lending/lending-world.ts'
import { createMarketLife, type LiveMarket, type MarketLife } from '../../../test/lending/market-life.ts'
import { expectTransactionFaults } from '../../../test/lending/transaction-faults.ts'
import { abis } from '../contracts.ts'

describe('pausing a market', () => {
  let world: LendingWorld
  let life: MarketLife
  let market: LiveMarket

  beforeAll(async () => {
    world = await createLendingWorld()
    life = createMarketLife(world)
    market = await life.adopted()
    await life.admit(market, [wallet(6).address])
    await life.fund(market, 10_000)
  })
  afterAll(() => world.close())

  const path = (name: 'pause' | 'unpause', marketId = market.marketId) => `${V2}/markets/${marketId}/${name}`
  const change = async (name: 'pause' | 'unpause') => {
    const built = must(await world.deployer.post(path(name), {}))
    expect(built.body.data).toMatchObject({
      functionName: name,
      requiredRole: 'DEFAULT_ADMIN_ROLE',
      heldByThisInstance: true,
      simulation: { success: true },
      confirmWith: { endpoint: path(name), field: 'txHash' },
    })
    const txHash = await world.sign(world.deployer.wallet, built)
    const confirmed = must(await world.deployer.post(path(name), { txHash })).body.data
    const signedBy = world.deployer.wallet.address.toLowerCase()
    expect(confirmed).toEqual({ txHash, signedBy, paused: name === 'pause' })
    return txHash
  }
  const refusal = async (name: 'pause' | 'unpause', body: object = {}, marketId?: string) => {
    const answer = await world.deployer.post(path(name, marketId), body)
    return [answer.status, answer.body.error?.code]
  }

  it('stops loans but not repayments, and ends when it is told to', async () => {
    const loan = { collateral: 100, amount: 1_000 }
    const loanId = await life.openLoan(market, wallet(6), loan)
    expect(await refusal('unpause')).toEqual([409, 'NOT_PAUSED'])
    const paused = await change('pause')
    expect(await refusal('pause')).toEqual([409, 'ALREADY_PAUSED'])
    expect(await refusal('unpause', { txHash: paused })).toEqual([400, 'TX_WRONG_FUNCTION'])
    await expect(life.openLoan(market, wallet(6), loan)).rejects.toThrow('MarketIsPaused')
    await life.repay(market, wallet(6), loanId, 500)
    const got = must(await world.deployer.get(`${V2}/markets/${market.marketId}`)).body.data
    expect(got.onChain.paused).toBe(true)
    const ended = await change('unpause')
    expect(await refusal('pause', { txHash: ended })).toEqual([400, 'TX_WRONG_FUNCTION'])
    await life.openLoan(market, wallet(6), loan)
  })

  it('counts only when it changed something', async () => {
    const made = (name: 'pause' | 'unpause') => life.call(market.marketAddress, abis.market, name, [])
    const idle = await made('unpause')
    expect(await refusal('unpause', { txHash: idle.transactionHash })).toEqual([400, 'TX_NOT_VERIFIED'])
    await made('pause')
    const again = await made('pause')
    expect(await refusal('pause', { txHash: again.transactionHash })).toEqual([400, 'TX_NOT_VERIFIED'])
    await made('unpause')
  })

  it.each(['pause', 'unpause'] as const)('%s waits for a lender of record', async (name) => {
    const cash = await world.createCash(`S${name}`)
    const { marketId } = await world.deployMarket({ borrowAssetAddress: cash })
    expect(await refusal(name, {}, marketId)).toEqual([409, 'MARKET_PENDING_CURATOR'])
  })

  it.each(['pause', 'unpause'] as const)('%s is confirmed by nothing else than its transaction', async (name) => {
    await expectTransactionFaults(world, {
      confirm: (txHash) => world.deployer.post(path(name), { txHash }),
      target: market.marketAddress,
      other: { abi: abis.market, functionName: 'syncRate' },
    })
  })
})

describe('archiving a market record', () => {
  let world: LendingWorld
  beforeAll(async () => {
    world = await createLendingWorld()
  })
  afterAll(() => world.close())

  it('takes it out of the list and frees its place, whether it was deployed or not; once is enough', async () => {
    const { marketId } = await world.deployMarket()
    const archive = () => world.deployer.post(`${V2}/markets/${marketId}/archive`)
    const { data } = must(await archive()).body
    expect(data).toMatchObject({ marketId, active: false })
    world.clock.advance(60_000)
    expect(must(await archive()).body.data).toEqual(data)
    expect(must(await world.deployer.get(`${V2}/markets`)).body.data.markets).toEqual([])
    expect(must(await world.deployer.get(`${V2}/markets/${marketId}`)).body.data.active).toBe(false)

    const draft = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody())).body.data.marketId
    expect(draft).not.toBe(marketId)
    must(await world.deployer.post(`${V2}/markets/${draft}/archive`))
    const next = must(await world.deployer.post(`${V2}/markets/deploy`, world.deployBody())).body.data.marketId
    expect(next).not.toBe(draft)
  })
})

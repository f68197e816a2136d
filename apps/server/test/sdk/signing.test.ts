import {
  isRefusal,
  items,
  safeFile,
  signAndConfirm,
  signOrder,
  signSetup,
  type Tally,
  TallyConnectionError,
  TallyError,
  TallySigningError,
} from '@tallystick/sdk'
import { wallet } from '@tallystick/testkit'
import { type Address, createWalletClient, defineChain, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOnchainWorld, type OnchainWorld } from '../trading/onchain-world.ts'
import { clientOf } from './clients.ts'

const anna = wallet(3).address
const terms = { name: 'Ostsee Hafen AG', symbol: 'HAFN', isin: 'DE0007164600' }

/** What went wrong; fails when nothing did. */
async function faultOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(Error)
  return outcome
}

describe('writes on chain through the SDK', () => {
  let world: OnchainWorld
  let tally: Tally
  let token: Address
  const walletOf = (index: number, chainId = world.node.chainId) =>
    createWalletClient({
      account: wallet(index),
      chain: defineChain({ ...world.node.walletClient.chain, id: chainId }),
      transport: http(world.node.url),
      pollingInterval: 20,
    })

  beforeAll(async () => {
    world = await createOnchainWorld()
    tally = clientOf(world, world.owner.apiKey, { retry: { firstDelayMs: 1 } })
  })
  afterAll(() => world.close())

  it('builds, signs, sends and confirms a write on chain in one call', async () => {
    const body = { ...terms, issuerAddress: wallet(0).address }
    const sent: string[] = []
    const deployed = await signAndConfirm(tally.stocks.deployStock, { body }, walletOf(0), {
      onSent: (hash) => void sent.push(hash),
    })
    token = deployed.confirmed.tokenAddress
    expect(deployed.confirmed).toMatchObject({ transactionHash: deployed.hashes[0], tokenAddress: token })
    expect(sent).toEqual(deployed.hashes)
    const { data, metadata } = await tally.stocks.getStock({ params: { tokenAddress: token } })
    expect(data).toMatchObject({ symbol: 'HAFN', totalSupply: '0' })
    expect(metadata.instanceId).toBe(world.owner.instanceId)
  })

  it('asks for more gas than a call takes now, as it may take more in a later block', async () => {
    const body = { ...terms, symbol: 'HAFX', issuerAddress: wallet(0).address }
    const [hash] = (await signAndConfirm(tally.stocks.deployStock, { body }, walletOf(0))).hashes
    if (!hash) throw new Error('nothing was sent')
    const { gas } = await world.node.publicClient.getTransaction({ hash })
    const { gasUsed } = await world.node.publicClient.getTransactionReceipt({ hash })
    expect(gas).toBeGreaterThanOrEqual((gasUsed * 13n) / 10n)
  })

  it('signs nothing that the service says would fail, unless told to', async () => {
    const request = { params: { tokenAddress: token }, body: { recipient: wallet(8).address, amount: '1' } }
    const before = await world.node.publicClient.getTransactionCount({ address: wallet(0).address })
    const fault = await faultOf(signAndConfirm(tally.stocks.issueShares, request, walletOf(0)))
    expect(fault).toMatchObject({ name: 'TallySigningError', fault: 'WOULD_REVERT', hashes: [] })
    const refused = await faultOf(
      signAndConfirm(tally.stocks.issueShares, request, walletOf(0), { ignoreSimulation: true }),
    )
    // The wallet's own node found out the same when it estimated the gas.
    expect(refused).not.toBeInstanceOf(TallySigningError)
    expect(await world.node.publicClient.getTransactionCount({ address: wallet(0).address })).toBe(before)
  })

  it('signs nothing that is refused by the caller, and nothing for another chain', async () => {
    const request = { params: { tokenAddress: token }, body: { recipient: anna, amount: '5' } }
    const disallowed = signAndConfirm(tally.stocks.issueShares, request, walletOf(0), {
      allow: ({ to, description }) => to !== token && description !== undefined,
    })
    expect(await faultOf(disallowed)).toMatchObject({ fault: 'UNEXPECTED_CALL' })
    const elsewhere = {
      ...walletOf(0),
      request: async ({ method, params }: { method: string; params?: unknown }) =>
        method === 'eth_chainId' ? '0x1' : walletOf(0).request({ method, params } as never),
    } as ReturnType<typeof walletOf>
    expect(await faultOf(signAndConfirm(tally.stocks.issueShares, request, elsewhere))).toMatchObject({
      fault: 'WRONG_CHAIN',
    })
    await expect(
      signAndConfirm(
        tally.stocks.issueShares,
        { ...request, body: { ...request.body, useRelayer: true } },
        walletOf(0),
      ),
    ).rejects.toThrow(TypeError)
  })

  it('keeps the hash when the report of a mined transaction finds no service, and reports it later', async () => {
    let isUp = true
    const inProcess = clientOf(world, world.owner.apiKey)
    const { fetch: reach } = inProcess.stocks.issueShares.transport.parts
    const flaky = clientOf(world, world.owner.apiKey, {
      retry: { firstDelayMs: 1, longestDelayMs: 1 },
      fetch: (input, init) => (isUp ? reach(input, init) : Promise.reject(new TypeError('fetch failed'))),
    })
    const request = { params: { tokenAddress: token }, body: { recipient: anna, amount: '5' } }
    const fault = await faultOf(
      signAndConfirm(flaky.stocks.issueShares, request, walletOf(0), {
        onSent: () => {
          isUp = false
        },
      }),
    )
    expect(fault).toMatchObject({ fault: 'NOT_CONFIRMED', hashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] })
    if (!(fault instanceof TallySigningError)) throw fault
    expect(fault.cause).toBeInstanceOf(TallyConnectionError)
    isUp = true
    const [txHash = '0x'] = fault.hashes
    const { data } = await flaky.stocks.issueShares({ ...request, body: { ...request.body, txHash } })
    expect(data).toMatchObject({ transactionHash: txHash, amount: '5' })
  })

  it('gives the codes of an operation, with their status and fields', async () => {
    const { issueShares, getStock } = tally.stocks
    const fault = await faultOf(issueShares({ params: { tokenAddress: token }, body: { amount: '1' } }))
    expect(isRefusal(fault, getStock)).toBe(false)
    if (!isRefusal(fault, issueShares)) throw fault
    expect([fault.code, fault.status]).toEqual(['MISSING_FIELDS', 400])
    if (fault.code === 'MISSING_FIELDS') expect(fault.extra.details?.[0]?.field).toBe('recipient')
    expect(fault.requestId).toMatch(/^req_|^[0-9a-f-]{8,}/)

    const stranger = clientOf(world, 'tally_unknown')
    const barred = await faultOf(stranger.stocks.listStocks())
    expect(barred).toBeInstanceOf(TallyError)
    expect(barred).toMatchObject({ code: 'AUTH_FAILED', status: 401, operation: 'listStocks' })
  })

  it('goes through every page of a list', async () => {
    for (const amount of ['1', '2', '3'])
      await signAndConfirm(
        tally.stocks.issueShares,
        { params: { tokenAddress: token }, body: { recipient: anna, amount } },
        walletOf(0),
      )
    await world.follow()
    const request = { params: { tokenAddress: token }, query: { limit: 2, type: 'issue' } } as const
    const amounts: (string | null)[] = []
    for await (const entry of items(tally.stocks.listStockTransactions, request, ({ data }) => data))
      amounts.push(entry.amount)
    expect(amounts).toEqual(['3', '2', '1', '5'])
  })

  it('hands out the file for a multi-signature wallet', async () => {
    const file = await safeFile(tally.stocks.pauseStock, { params: { tokenAddress: token } })
    expect(file).toMatchObject({ version: '1.0', chainId: '31337', transactions: [{ to: token, value: '0' }] })
  })

  it('signs what has to be done before an operation can go on, and goes on', async () => {
    const { createStockBook } = tally.trading
    const body = {
      name: 'Hafen',
      symbol: 'HAFN',
      settlementMode: 'ON_CHAIN',
      custodyContract: world.suite.stockVault,
      tokenAddress: token,
      quoteTokenAddress: world.tokens.cash,
    } as const
    const refused = await faultOf(createStockBook({ body }))
    if (!isRefusal(refused, createStockBook) || refused.code !== 'CUSTODY_SETUP_REQUIRED') throw refused
    const custodySetupTxs = await signSetup(createStockBook, refused.extra.setup, walletOf(0))
    expect(Object.keys(custodySetupTxs)).toEqual(['baseToken', 'tokenAuthorization'])
    const { data } = await createStockBook({ body: { ...body, custodySetupTxs } })
    expect(data).toMatchObject({ tokenAddress: token, settlementMode: 'ON_CHAIN', status: 'ACTIVE' })
  })

  it('has orders signed, and settles what they traded', async () => {
    const { books, traders } = world
    const { id: orderBookId } = books['external-securities']
    const surface = 'orderbooks/external-securities'
    async function place(index: 3 | 4, side: 'BUY' | 'SELL') {
      const body = { orderBookId, userAddress: wallet(index).address, side, price: '5000000', quantity: '2000000' }
      const { terms: signed, prepared } = await signOrder(
        tally.trading.prepareOrder,
        { surface, body },
        walletOf(index),
      )
      expect(prepared.order.isBuy).toBe(side === 'BUY')
      return (await tally.trading.submitOrder({ surface, body: { ...body, ...signed } })).data
    }
    expect(traders.map(({ address }) => address)).toContain(wallet(4).address)
    await place(3, 'SELL')
    const { settlement } = await place(4, 'BUY')
    const params = { settlementId: settlement?.settlementId ?? '' }
    const settled = await signAndConfirm(tally.trading.getSettlementCalldata, { surface, params }, walletOf(0))
    expect(settled.confirmed).toMatchObject({ ...params, trades: [{ outcome: 'SETTLED' }] })
  })

  it('signs an order at the market as the limit that it is submitted as', async () => {
    const { id: orderBookId, prefix } = world.books.commodities
    const surface = 'orderbooks/commodities'
    const band = { priceRefEnabled: true, priceRefSpreadBps: 100 }
    await tally.trading.updateOrderBook({ surface, params: { orderBookId }, body: band })
    expect(
      (await world.owner.post(`${prefix}/order-books/${orderBookId}/price-reference`, { price: '5' })).status,
    ).toBe(200)
    const request = { orderBookId, userAddress: wallet(3).address, side: 'BUY', quantity: '2000000' } as const
    const body = { ...request, orderType: 'MARKET' } as const
    const { terms: signed } = await signOrder(tally.trading.prepareOrder, { surface, body }, walletOf(3))
    const { data } = await tally.trading.submitOrder({ surface, body: { ...body, ...signed } })
    expect(data.order).toMatchObject({ orderType: 'LIMIT', timeInForce: 'IOC', price: '5050000', status: 'CANCELLED' })
  })

  it('signs no order for somebody else', async () => {
    const { id: orderBookId } = world.books.stocks
    const body = { orderBookId, userAddress: anna, side: 'BUY', price: '5000000', quantity: '2000000' } as const
    expect(await faultOf(signOrder(tally.trading.prepareOrder, { body }, walletOf(4)))).toMatchObject({
      fault: 'WRONG_SIGNER',
    })
    const refused = signOrder(tally.trading.prepareOrder, { body }, walletOf(3), {
      allow: ({ price }) => BigInt(price) < 5n,
    })
    expect(await faultOf(refused)).toMatchObject({ fault: 'UNEXPECTED_CALL' })
  })
})

import { demoCashAbi, stockTokenAbi } from '@tallystick/abi'
import { deploySafe } from '@tallystick/testkit'
import { decodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { auditMinutes } from '../../../test/trading/audit.ts'
import { deployLogEmitter, repeatLog } from '../../../test/trading/log-emitter.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import {
  createSettlementWorld,
  custodyAbiOf,
  PRICE,
  type SettlementWorld,
  WHOLE,
} from '../../../test/trading/settlement-world.ts'
import type { TestAnswer } from '../../../test/world.ts'
import { MULTICALL3 } from '../../platform/chain/multicall.ts'
import type { BookClass } from '../books/index.rules.ts'

const CLASSES: readonly BookClass[] = ['stocks', 'commodities', 'external-securities']
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'
const refusal = ({ status, body }: TestAnswer) => [status, body.error?.code]

let world: SettlementWorld
beforeAll(async () => {
  world = await createSettlementWorld({ bookRequest: { makerFeeBps: 10, takerFeeBps: 20 } })
})
afterAll(() => world.close())

/** Everything that is left over from a test waits no more. */
async function settleAll(bookClass: BookClass): Promise<void> {
  const book = world.books[bookClass]
  const { settlements } = must(await world.owner.get(`${book.prefix}/settlements/pending`)).body.data
  for (const { settlementId } of settlements) await world.settle(book, settlementId)
  await world.mine()
  await world.watch()
}

describe('a staged trade', () => {
  it.each(CLASSES)('of %s is signed by the operator, proven by its event, and final with its block', async (name) => {
    const book = world.books[name]
    const [seller, buyer] = world.traders
    const terms = { price: PRICE, quantity: WHOLE, maxFee: 10_000_000n }
    const [sell, buy] = [
      await world.signOrder(seller, book, { side: 'SELL', ...terms }),
      await world.signOrder(buyer, book, { side: 'BUY', ...terms }),
    ]
    must(await world.owner.post(`${book.prefix}/orders`, sell.body))
    const { settlement, trades } = must(await world.other.post(`${book.prefix}/orders`, buy.body)).body.data
    const { settlementId } = settlement
    const [{ tradeId }] = trades
    const pending = must(await world.owner.get(`${book.prefix}/settlements/pending?orderBookId=${book.id}`)).body.data
    expect(pending.settlements).toMatchObject([
      { settlementId, orderBookId: book.id, status: 'PENDING', tradeCount: 1, trades: [{ tradeId }] },
    ])
    // The taker's instance is a party: it may look, and not settle.
    expect(must(await world.other.get(world.path(book, settlementId))).body.data.status).toBe('PENDING')
    expect(must(await world.other.get(`${book.prefix}/settlements/pending`)).body.data.settlements).toEqual([])
    const waitsFor = async (who: typeof world.owner) =>
      must(await who.get('/access/api/inbox')).body.data.needs.filter(({ id }: { id: string }) => id === settlementId)
    expect(await waitsFor(world.owner)).toMatchObject([{ kind: 'SETTLEMENT_WAITING', orderBookId: book.id }])
    expect(await waitsFor(world.other)).toEqual([])
    expect(await world.reserved(book, seller, book.base)).toBe(WHOLE)

    const { data } = must(await world.calldata(book, settlementId)).body
    expect(data).toMatchObject({
      functionName: name === 'external-securities' ? 'settleTrade' : 'settle',
      tradeCount: 1,
      skipped: [],
      expectedSigner: world.owner.wallet.address.toLowerCase(),
      tradeRef: `0x${tradeId.replaceAll('-', '')}${'0'.repeat(32)}`,
      batchRef: null,
      simulation: { success: true },
      confirmWith: { endpoint: world.path(book, settlementId, 'confirm'), field: 'txHash' },
    })
    const file = must(await world.owner.get(`${world.path(book, settlementId, 'calldata')}?format=safe`)).body
    expect(file.transactions).toMatchObject([{ to: book.custody, data: data.transaction.data }])

    const txHash = await world.settle(book, settlementId)
    const proof = { outcome: 'SETTLED', reason: null }
    const first = must(await world.confirm(book, settlementId, txHash)).body.data
    expect(first).toMatchObject({
      status: 'PROCESSING',
      txHash,
      trades: [{ ...proof, settlementStatus: 'PROCESSING' }],
    })
    expect(await world.settlement(book, settlementId)).toMatchObject({ status: 'PROCESSING', txHash, settledAt: null })
    expect(must(await world.calldata(book, settlementId)).body.data).toEqual({
      ...{ settlementId, status: 'PROCESSING', txHash, alreadySettled: true },
    })

    await world.mine()
    const second = must(await world.confirm(book, settlementId, txHash)).body.data
    expect(second).toMatchObject({ status: 'CONFIRMED', trades: [{ ...proof, settlementStatus: 'CONFIRMED' }] })
    expect(second.alreadyConfirmed).toBeUndefined()
    const repeated = must(await world.confirm(book, settlementId, txHash)).body.data
    expect(repeated).toEqual({ ...second, alreadyConfirmed: true })
    expect(must(await world.calldata(book, settlementId)).body.data.alreadySettled).toBe(true)
    const record = await world.settlement(book, settlementId)
    expect(record).toMatchObject({ status: 'CONFIRMED', blockNumber: first.blockNumber, gasUsed: first.gasUsed })
    expect(record.trades).toMatchObject([{ tradeId, settlementStatus: 'CONFIRMED', settlementError: null }])
    expect(must(await world.owner.get(`${book.prefix}/settlements/pending`)).body.data.settlements).toEqual([])
    for (const [account, token] of [[seller, book.base] as const, [buyer, book.quote] as const])
      expect(await world.reserved(book, account, token)).toBe(0n)
  })

  it('leaves the rest of a batch pending, and takes back what was cancelled on chain meanwhile', async () => {
    const book = world.books.commodities
    const [seller, buyer] = world.traders
    const place = (price: bigint) =>
      world.place(seller, book, { side: 'SELL', price, quantity: WHOLE, maxFee: 1_000_000n })
    const [cheap, middle, dear] = [await place(90n * WHOLE), await place(95n * WHOLE), await place(99n * WHOLE)]
    const request = { side: 'BUY', price: PRICE, quantity: 3n * WHOLE, maxFee: 10_000_000n } as const
    const taker = await world.place(buyer, book, request, world.other)
    const { settlementId, tradeIds } = taker
    const { transaction, gasLimit, ...built } = must(await world.calldata(book, settlementId)).body.data
    expect(built).toMatchObject({ functionName: 'batchSettle', tradeCount: 3, tradeRef: null })
    expect(built.batchRef).toBe(`0x${settlementId.replaceAll('-', '')}${'0'.repeat(32)}`)
    expect(BigInt(gasLimit)).toBeGreaterThan(5_000_000n)

    await world.onCustody(book, seller, 'cancelOrders', [[cheap.terms.orderHash]])
    const txHash = await world.sendRaw(world.owner.wallet, transaction, BigInt(gasLimit))
    const confirmed = must(await world.confirm(book, settlementId, txHash)).body.data
    expect(confirmed.trades.map((one: Record<string, unknown>) => [one.outcome, one.reason])).toEqual([
      ['REFUSED', 'ORDER_CANCELLED'],
      ['SETTLED', null],
      ['SETTLED', null],
    ])
    await world.mine()
    const again = must(await world.confirm(book, settlementId, txHash)).body.data
    expect(again).toMatchObject({
      status: 'PENDING',
      trades: ['PROCESSING', 'CONFIRMED', 'CONFIRMED'].map((settlementStatus) => ({ settlementStatus })),
    })
    // Repeated while the rest waits: what this transaction settled is settled.
    expect(must(await world.confirm(book, settlementId, txHash)).body.data.alreadyConfirmed).toBe(true)

    const days = () => world.superuser`
      select trade_count, failed_count, price_low::text, volume_base::text from book_days where book_id = ${book.id}`
    expect(await days()).toMatchObject([{ trade_count: 4, failed_count: 0, price_low: String(90n * WHOLE) }])
    const refused = await world.calldata(book, settlementId)
    expect(refusal(refused)).toEqual([409, 'SETTLEMENT_REJECTED'])
    expect(refused.body.error).toMatchObject({
      reason: 'ORDER_CANCELLED',
      skipped: [{ tradeId: tradeIds[0], isUnwound: true }],
    })
    expect(await days()).toMatchObject([
      { trade_count: 3, failed_count: 1, price_low: String(95n * WHOLE), volume_base: String(3n * WHOLE) },
    ])
    const [unit] = await world.superuser`select unit_id from order_books where book_id = ${book.id}`
    await auditMinutes(world.superuser, unit?.unit_id)
    const record = await world.settlement(book, settlementId)
    expect(record).toMatchObject({ status: 'FAILED', error: 'ORDER_CANCELLED', txHash })
    expect(record.trades[0]).toMatchObject({ settlementStatus: 'FAILED', settlementError: 'ORDER_CANCELLED' })
    expect(await world.orderRow(cheap.orderId)).toMatchObject({ status: 'CANCELLED', filled: '0' })
    expect(await world.orderRow(middle.orderId)).toMatchObject({ status: 'FILLED' })
    expect(await world.orderRow(dear.orderId)).toMatchObject({ status: 'FILLED' })
    expect(await world.orderRow(taker.orderId)).toMatchObject({ status: 'CANCELLED', filled: String(2n * WHOLE) })
    for (const [account, token] of [[seller, book.base] as const, [buyer, book.quote] as const])
      expect(await world.reserved(book, account, token)).toBe(0n)

    // On the tape it stays; in no figure.
    const tape = must(await world.owner.get(`${book.prefix}/order-books/${book.id}/trades`)).body.data
    expect([tape.total, tape.trades.length]).toEqual([4, 4])
    const snapshot = must(await world.owner.get(`${book.prefix}/order-books/${book.id}/snapshot`)).body.data
    expect(snapshot).toMatchObject({
      lastPrice: String(99n * WHOLE),
      stats24h: { trades: 3, low: String(95n * WHOLE) },
    })
    const ended = await world.calldata(book, settlementId)
    expect(refusal(ended)).toEqual([409, 'SETTLEMENT_NOT_BUILDABLE'])
  })

  it('that a Safe or a multicall settles is proven by the event of the custody contract', async () => {
    const book = world.books.stocks
    const { owner, traders } = world
    const safe = await deploySafe(world.node, [traders[2]])
    await world.onCustody(book, owner.wallet, 'setOperator', [safe.address, true])
    await world.onCustody(book, owner.wallet, 'setOperator', [MULTICALL3, true])
    const one = await world.trade(book)
    const { transaction } = must(await world.calldata(book, one.settlementId)).body.data
    const failed = await safe.execThroughSafe(transaction, { failInner: true })
    const inner = await world.confirm(book, one.settlementId, failed.receipt.transactionHash)
    expect(refusal(inner)).toEqual([400, 'TX_REVERTED'])
    const { receipt } = await safe.execThroughSafe(transaction)
    const confirmed = must(await world.confirm(book, one.settlementId, receipt.transactionHash)).body.data
    expect(confirmed).toMatchObject({ status: 'PROCESSING', verifiedBy: 'receipt-log' })

    const two = await world.trade(book)
    const call = must(await world.calldata(book, two.settlementId)).body.data.transaction
    const aggregate = callOf(MULTICALL3, multicall3Abi, 'aggregate3', [
      [{ target: call.to, allowFailure: false, callData: call.data }],
    ])
    const txHash = await world.sendRaw(traders[2], aggregate, 8_000_000n)
    await world.mine()
    const headers = { 'idempotency-key': 'settled-through-a-multicall' }
    const path = world.path(book, two.settlementId, 'confirm')
    const told = must(await owner.call('POST', path, { body: { txHash }, headers })).body.data
    expect(told).toMatchObject({ status: 'CONFIRMED', verifiedBy: 'receipt-log' })
    expect(must(await owner.call('POST', path, { body: { txHash }, headers })).body.data).toEqual(told)
    await world.watch()
    expect((await world.settlement(book, one.settlementId)).status).toBe('CONFIRMED')
  })
})

describe('a settlement that cannot be built', () => {
  it('stays pending while money, rules or switches are in the way', async () => {
    const { owner, tokens } = world
    const gold = world.books.commodities
    const { settlementId } = await world.trade(gold)
    await world.onCustody(gold, owner.wallet, 'setSettlementPaused', [true])
    const paused = await world.calldata(gold, settlementId)
    expect(refusal(paused)).toEqual([409, 'SETTLEMENT_NOT_BUILDABLE'])
    expect(paused.body.error.skipped).toMatchObject([{ reason: 'SETTLEMENT_PAUSED', isUnwound: false }])
    expect(await world.settlement(gold, settlementId)).toMatchObject({
      status: 'PENDING',
      error: 'SETTLEMENT_PAUSED',
      trades: [{ settlementStatus: 'PROCESSING' }],
    })
    await world.mine()
    await world.watch()
    await world.onCustody(gold, owner.wallet, 'setSettlementPaused', [false])
    must(await world.calldata(gold, settlementId))
    expect((await world.settlement(gold, settlementId)).error).toBe(null)

    const book = world.books['external-securities']
    const security = await world.trade(book, [WHOLE, WHOLE])
    const onToken = (functionName: string, args: readonly unknown[] = []) =>
      world.sendRaw(owner.wallet, callOf(tokens.security, stockTokenAbi, functionName, args))
    await onToken('pause')
    const undelivered = await world.calldata(book, security.settlementId)
    expect(refusal(undelivered)).toEqual([409, 'DELIVERY_NOT_ALLOWED'])
    expect(undelivered.body.error).toMatchObject({ reason: 'TOKEN_PAUSED', skipped: [{}, {}] })
    await onToken('unpause')
    expect(must(await world.calldata(book, security.settlementId)).body.data).toMatchObject({
      ...{ functionName: 'batchSettleTrades', tradeCount: 2 },
    })
    await settleAll('commodities')
    await settleAll('external-securities')
  })

  it('for want of an operator says whose', async () => {
    const { owner, tokens } = world
    const stocks = world.books.stocks
    const staged = await world.trade(stocks)
    await world.onCustody(stocks, owner.wallet, 'setOperator', [owner.wallet.address, false])
    const refused = await world.calldata(stocks, staged.settlementId)
    expect(refusal(refused)).toEqual([409, 'SETTLEMENT_OPERATOR_UNAUTHORIZED'])
    await world.onCustody(stocks, owner.wallet, 'setOperator', [owner.wallet.address, true])

    const book = world.books['external-securities']
    const security = await world.trade(book)
    await world.onCustody(book, owner.wallet, 'setOperator', [tokens.security, owner.wallet.address, false])
    const other = await world.calldata(book, security.settlementId)
    expect(refusal(other)).toEqual([409, 'SETTLEMENT_OPERATOR_UNAUTHORIZED'])
    expect(other.body.error.settlementOperator).toBe(owner.wallet.address.toLowerCase())
    await world.onCustody(book, owner.wallet, 'setOperator', [tokens.security, owner.wallet.address, true])
    await settleAll('stocks')
    await settleAll('external-securities')
  })

  it('is not found on another class, by another instance, or by another name', async () => {
    const stocks = world.books.stocks
    const { settlementId } = await world.trade(stocks)
    const { owner, other } = world
    const hash = `0x${'1'.repeat(64)}` as const
    const long = 'x'.repeat(101)
    const gold = world.books.commodities
    for (const [id, book] of [
      [UNKNOWN, stocks] as const,
      ['no uuid', stocks] as const,
      [settlementId, gold] as const,
    ]) {
      expect(refusal(await owner.get(world.path(book, id)))).toEqual([404, 'SETTLEMENT_NOT_FOUND'])
      expect(refusal(await world.calldata(book, id))).toEqual([404, 'SETTLEMENT_NOT_FOUND'])
      expect(refusal(await world.confirm(book, id, hash))).toEqual([404, 'SETTLEMENT_NOT_FOUND'])
    }
    expect(refusal(await owner.get(world.path(stocks, long)))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await world.calldata(stocks, long))).toEqual([400, 'INVALID_PARAM'])
    expect(refusal(await world.confirm(stocks, long, hash))).toEqual([400, 'INVALID_PARAM'])
    const pending = `${stocks.prefix}/settlements/pending`
    expect(refusal(await owner.get(`${pending}?orderBookId=${long}`))).toEqual([400, 'INVALID_PARAM'])
    expect(must(await owner.get(`${pending}?orderBookId=other`)).body.data.settlements).toEqual([])
    expect(must(await owner.get(`${pending}?orderBookId=${gold.id}`)).body.data.settlements).toEqual([])

    // Found by a party, which is not the one to settle.
    const path = world.path(stocks, settlementId, 'calldata')
    expect(refusal(await other.get(path))).toEqual([409, 'SETTLEMENT_NOT_BUILDABLE'])
    expect(refusal(await world.confirm(stocks, settlementId, hash, other))).toEqual([409, 'SETTLEMENT_NOT_BUILDABLE'])
    const stranger = await world.createInstance()
    expect(refusal(await stranger.call('GET', world.path(stocks, settlementId)))).toEqual([404, 'SETTLEMENT_NOT_FOUND'])
    expect(refusal(await owner.get(`${path}?format=pdf`))).toEqual([400, 'VALIDATION_ERROR'])
    expect(refusal(await world.withoutNode(() => owner.get(path)))).toEqual([503, 'CHAIN_UNAVAILABLE'])
    expect(refusal(await world.withoutNode(() => world.confirm(stocks, settlementId, hash)))).toEqual([
      ...[503, 'CHAIN_UNAVAILABLE'],
    ])
    await settleAll('stocks')
  })

  it('is listed oldest first, at most 25', async () => {
    const book = world.books.commodities
    const staged = Array.from({ length: 27 }, (_, index) => `01890000-0000-7000-8000-0000000010${10 + index}`)
    const [{ unit_id: unitId } = {}] = await world.superuser`select unit_id from order_books where book_id = ${book.id}`
    for (const [index, id] of staged.entries())
      await world.superuser`
        insert into settlements (unit_id, settlement_id, book_id, status, trade_count, created_at, updated_at)
        values (${unitId}, ${id}, ${book.id}, 'PENDING', 0, now() - ${50 - index} * interval '1 minute', now())`
    const ids = async (query: string) => {
      const answer = must(await world.owner.get(`${book.prefix}/settlements/pending${query}`))
      return answer.body.data.settlements.map(({ settlementId }: { settlementId: string }) => settlementId)
    }
    expect(await ids('')).toEqual(staged.slice(0, 25))
    expect(await ids('?limit=100')).toEqual(staged.slice(0, 25))
    expect(await ids('?limit=2')).toEqual(staged.slice(0, 2))
    await world.superuser`delete from settlements where settlement_id = any(${staged}::text[]::uuid[])`
  })
})

describe('a confirmation', () => {
  it('believes no other transaction', async () => {
    const book = world.books.stocks
    const { owner, traders, node, tokens } = world
    const one = await world.trade(book)
    const two = await world.trade(book)
    const confirm = (txHash: Hex) => world.confirm(book, one.settlementId, txHash)
    expect(refusal(await confirm(`0x${'1'.repeat(64)}`))).toEqual([404, 'TX_NOT_FOUND'])
    const approve = callOf(tokens.cash, demoCashAbi, 'approve', [book.custody, 1n])
    expect(refusal(await confirm(await world.sendRaw(traders[2], approve)))).toEqual([400, 'TX_WRONG_TARGET'])
    const cancelled = await world.onCustody(book, traders[2], 'cancelOrders', [[`0x${'2'.repeat(64)}`]])
    expect(refusal(await confirm(cancelled))).toEqual([400, 'TX_WRONG_FUNCTION'])
    const hash = await node.walletClient.sendTransaction({ to: book.custody, data: '0xdeadbeef', gas: 200_000n })
    await node.publicClient.waitForTransactionReceipt({ hash })
    expect(refusal(await confirm(hash))).toEqual([400, 'TX_REVERTED'])
    // The settlement of another trade.
    const ofTwo = await world.settle(book, two.settlementId)
    expect(refusal(await confirm(ofTwo))).toEqual([400, 'TX_NOT_VERIFIED'])

    // The very event of this trade, out of another contract: of the same trade settled on a copy of the chain.
    const { transaction, gasLimit } = must(await world.calldata(book, one.settlementId)).body.data
    const snapshot = await node.testClient.snapshot()
    const settled = await world.sendRaw(owner.wallet, transaction, BigInt(gasLimit))
    const { logs } = await node.publicClient.getTransactionReceipt({ hash: settled })
    await node.testClient.revert({ id: snapshot })
    const log = logs.at(-1)
    expect(log?.address).toBe(book.custody)
    const emitter = await deployLogEmitter(node)
    const lookAlike = await world.sendRaw(
      traders[2],
      repeatLog(emitter, { topics: log?.topics ?? [], data: log?.data ?? '0x' }),
    )
    expect(refusal(await confirm(lookAlike))).toEqual([400, 'TX_WRONG_TARGET'])
    expect((await world.settlement(book, one.settlementId)).status).toBe('PENDING')

    // The name of the trade, but half of it.
    const { args } = decodeFunctionData({ abi: custodyAbiOf(book), data: transaction.data })
    const [fill] = args as readonly [{ quantity: bigint }]
    const half = callOf(book.custody, custodyAbiOf(book), 'settle', [{ ...fill, quantity: fill.quantity / 2n }])
    const different = await confirm(await world.sendRaw(owner.wallet, half))
    expect(refusal(different)).toEqual([400, 'TX_NOT_VERIFIED'])
    expect(different.body.error.message).toContain('quantity differs')
    await world.mine()
    await world.watch()
    // The name is the trade's all the same; what ends it is that the orders have less left than it needs.
    expect(await world.settlement(book, one.settlementId)).toMatchObject({
      ...{ status: 'FAILED', error: 'ORDER_OVERFILLED' },
    })
    expect((await world.settlement(book, two.settlementId)).status).toBe('CONFIRMED')
  })

  it('of a batch that settled nothing keeps why', async () => {
    const book = world.books.commodities
    const [seller] = world.traders
    const { settlementId } = await world.trade(book, [WHOLE, WHOLE])
    const { transaction, gasLimit } = must(await world.calldata(book, settlementId)).body.data
    await world.onCustody(book, world.owner.wallet, 'freezeUser', [
      seller.address,
      BigInt(Math.floor(Date.now() / 1000)) + 86_400n,
    ])
    const txHash = await world.sendRaw(world.owner.wallet, transaction, BigInt(gasLimit))
    const { data } = must(await world.confirm(book, settlementId, txHash)).body
    expect(data).toMatchObject({
      status: 'PENDING',
      trades: [
        { outcome: 'REFUSED', reason: 'USER_FROZEN', settlementStatus: 'PROCESSING' },
        { outcome: 'REFUSED', reason: 'USER_FROZEN' },
      ],
    })
    expect(await world.settlement(book, settlementId)).toMatchObject({ status: 'PENDING', error: 'USER_FROZEN' })
    await world.onCustody(book, world.owner.wallet, 'unfreezeUser', [seller.address])
    await settleAll('commodities')
    expect((await world.settlement(book, settlementId)).status).toBe('CONFIRMED')

    // A party that reads the book no more still reads what it traded there.
    const path = `${book.prefix}/order-books/${book.id}`
    const { _importId: importId } = must(await world.other.get(path)).body.data
    must(await world.owner.call('PATCH', path, { body: { allowImport: false } }))
    must(await world.other.call('DELETE', `${book.prefix}/imports/${importId}`))
    expect(must(await world.other.get(world.path(book, settlementId))).body.data).toMatchObject({
      ...{ status: 'CONFIRMED', instanceId: null, trades: [{}, {}] },
    })
  })
})

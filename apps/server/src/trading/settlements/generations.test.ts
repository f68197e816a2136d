import { stockTokenAbi, tradingVaultAbi } from '@tallystick/abi'
import {
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  slice,
  stringToHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../../test/signing.ts'
import { runVersion1 } from '../../../test/trading/first-generation.ts'
import { callOf } from '../../../test/trading/quick-sender.ts'
import {
  createSettlementWorld,
  custodyAbiOf,
  PRICE,
  type SettlementWorld,
  WHOLE,
} from '../../../test/trading/settlement-world.ts'

let world: SettlementWorld
beforeAll(async () => {
  world = await createSettlementWorld()
  await runVersion1(world.node, world.books.stocks.custody)
})
afterAll(() => world.close())

const TWO_TO_ONE = encodeAbiParameters(parseAbiParameters('uint128, uint128'), [2n, 1n])
const earlierAbi = parseAbi(['function saltPrefix(address token) view returns (bytes4)'])

describe('a vault of version 1', () => {
  it('is one', async () => {
    const address = world.books.stocks.custody
    expect(await world.node.publicClient.readContract({ address, abi: tradingVaultAbi, functionName: 'version' })).toBe(
      1n,
    )
  })

  it('has orders prepared, placed and settled as ever', async () => {
    const book = world.books.stocks
    const [seller] = world.traders
    const terms = { side: 'SELL', price: String(PRICE), quantity: String(WHOLE) }
    const request = { ...terms, orderBookId: book.id, userAddress: seller.address }
    const prepared = must(await world.owner.post(`${book.prefix}/orders/prepare`, request))
    expect(prepared.body.data.order.salt).toMatch(/^0x[0-9a-f]{64}$/)
    const { settlementId } = await world.trade(book)
    const txHash = await world.settle(book, settlementId)
    expect(must(await world.confirm(book, settlementId, txHash)).body.data.status).toBe('PROCESSING')
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, settlementId)).toMatchObject({ status: 'CONFIRMED', txHash, error: null })
  })

  it('settles a name once, whatever it settles', async () => {
    const book = world.books.stocks
    const { settlementId } = await world.trade(book, [2n * WHOLE])
    const { transaction } = must(await world.calldata(book, settlementId)).body.data
    const { args } = decodeFunctionData({ abi: custodyAbiOf(book), data: transaction.data })
    const [fill] = args as readonly [{ quantity: bigint }]
    const half = { ...fill, quantity: fill.quantity / 2n }
    await world.sendRaw(world.owner.wallet, callOf(book.custody, custodyAbiOf(book), 'settle', [half]))
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, settlementId)).toMatchObject({ status: 'FAILED', error: 'SETTLED_DIFFERENTLY' })
  })

  it('ends trades of orders from before a split of the token, in the four bytes that it asks for', async () => {
    const book = world.books.stocks
    const staged = await world.trade(book)
    await world.sendRaw(world.owner.wallet, callOf(book.base, stockTokenAbi, 'stockSplit', [2n, 1n, 1_000n]))
    const told = await world.node.publicClient.readContract({
      ...{ address: book.custody, abi: earlierAbi, functionName: 'saltPrefix' },
      args: [book.base],
    })
    expect(told).toBe(slice(keccak256(TWO_TO_ONE), 0, 4))
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, staged.settlementId)).toMatchObject({
      ...{ status: 'FAILED', error: 'ORDER_BEFORE_SPLIT' },
    })
  })
})

describe('a settlement contract of today', () => {
  it('ends trades of orders from before a split, and takes what is prepared after it', async () => {
    const book = world.books['external-securities']
    const [seller, buyer] = world.traders
    const before = await world.trade(book)
    await world.sendRaw(world.owner.wallet, callOf(book.base, stockTokenAbi, 'stockSplit', [2n, 1n, 1_000n]))
    await world.mine()
    await world.watch()
    expect(await world.settlement(book, before.settlementId)).toMatchObject({
      ...{ status: 'FAILED', error: 'ORDER_BEFORE_SPLIT' },
    })
    const saltFor = async (userAddress: string) => {
      const terms = { side: 'SELL', price: String(PRICE), quantity: String(WHOLE) }
      const request = { ...terms, orderBookId: book.id, userAddress }
      return must(await world.owner.post(`${book.prefix}/orders/prepare`, request)).body.data.order.salt as Hex
    }
    const salt = await saltFor(seller.address)
    // The mark of a split, for the token alone: the money was never split.
    expect(slice(salt, 0, 4)).toBe(stringToHex('SPLT'))
    expect(slice(salt, 8, 12)).not.toBe(stringToHex('SPLT'))
    const terms = { price: PRICE, quantity: WHOLE } as const
    await world.place(seller, book, { ...terms, side: 'SELL', salt })
    const taken = await world.place(
      buyer,
      book,
      { ...terms, side: 'BUY', salt: await saltFor(buyer.address) },
      world.other,
    )
    await world.settle(book, taken.settlementId)
    await world.mine()
    await world.watch()
    expect((await world.settlement(book, taken.settlementId)).status).toBe('CONFIRMED')
  })
})

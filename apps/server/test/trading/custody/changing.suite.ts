import { signedOrderSettlementAbi } from '@tallystick/abi'
import { send, wallet } from '@tallystick/testkit'
import { beforeAll, expect, it } from 'vitest'
import { must, type Party } from '../../signing.ts'
import { type OnchainBook, type OnchainWorld, prefixOf } from '../onchain-world.ts'
import { expectRefusal, hashesThatProveNothing, signSteps, stepsOf } from '../setup-steps.ts'

const TOKENS = '/external-tokens/api'
const ONE = 1_000_000n
const gold = { symbol: 'XAU', fineness: '999.9', unitBasis: 'TROY_OUNCE', backing: 'ALLOCATED_REDEEMABLE' }

/** What owners change where the chain has a say. */
export function describeChanging(given: () => OnchainWorld): void {
  let world: OnchainWorld
  beforeAll(() => {
    world = given()
  })

  const patch = ({ prefix, id }: OnchainBook, body: object, of: Party = world.owner) =>
    of.call('PATCH', `${prefix}/order-books/${id}`, { body })

  it('gets another settlement operator once the settlement contract knows him', async () => {
    const { books, suite, tokens, node } = world
    const book = books['external-securities']
    const settlementOperator = wallet(7).address
    const steps = stepsOf(await patch(book, { settlementOperator }))
    expect(steps).toMatchObject([
      { key: 'operator', to: suite.signedOrderSettlement, functionName: 'setOperator', requiredRole: 'SECURITY_ADMIN' },
    ])
    for (const [operator, status, code] of await hashesThatProveNothing(world, 'settlement'))
      expectRefusal(await patch(book, { settlementOperator, custodySetupTxs: { operator } }), status, { code })
    const custodySetupTxs = await signSteps(world, steps)
    const changed = must(await patch(book, { settlementOperator, custodySetupTxs })).body.data
    expect(changed.settlementOperator).toBe(settlementOperator.toLowerCase())
    expectRefusal(await patch(book, { settlementOperator: 'me' }), 400, { code: 'INVALID_CONFIG' })
    expectRefusal(await patch(books.stocks, { settlementOperator }), 400, { code: 'INVALID_CONFIG' })
    expectRefusal(await world.withoutNode(() => patch(book, { settlementOperator })), 503, {
      code: 'CHAIN_UNAVAILABLE',
    })
    // Fees that nobody could be paid are not taken.
    const onSettlement = {
      address: suite.signedOrderSettlement,
      abi: signedOrderSettlementAbi,
      functionName: 'setFeeRecipient',
    }
    await send(node, { ...onSettlement, args: [tokens.security, `0x${'0'.repeat(40)}`] })
    expectRefusal(await patch(book, { takerFeeBps: 3 }), 400, { code: 'INVALID_CONFIG' })
    await send(node, { ...onSettlement, args: [tokens.security, wallet(9).address] })
    expect(must(await patch(book, { takerFeeBps: 3 })).body.data.takerFeeBps).toBe(3)
  })

  it('pools a commodity by the class that is published, which the token must bear out', async () => {
    const { books, other, owner, tokens } = world
    const publish = async (party: Party, commodity: object | undefined) => {
      const body = { profile: commodity === undefined ? null : { issuerName: 'Mint', commodity } }
      must(await party.call('PUT', `${TOKENS}/${tokens.commodity}/profile`, { body }))
    }
    const own = books.commodities
    const pooled = { allowSharedLiquidity: true }
    const custodyContract = own.custody
    const pair = { tokenAddress: own.base, quoteTokenAddress: own.quote, custodyContract, name: 'Gold', symbol: 'XAU' }
    const create = () => other.post(`${prefixOf('commodities')}/order-books`, { ...pair, ...pooled })
    const refusedTwice = async (code: string) => {
      expectRefusal(await patch(own, pooled), 400, { code })
      expectRefusal(await create(), 400, { code })
    }
    await refusedTwice('ATTESTATION_NOT_FOUND')
    for (const party of [owner, other])
      must(await party.post(`${TOKENS}/import`, { tokenAddress: tokens.commodity, assetType: 'COMMODITY' }))
    const publishBoth = async (commodity: object) => {
      await publish(owner, commodity)
      await publish(other, commodity)
    }
    await publishBoth({ symbol: 'XAU', fineness: 'pure', unitBasis: 'TROY_OUNCE', backing: gold.backing })
    await refusedTwice('ATTESTATION_INCOMPLETE')
    await publishBoth({ ...gold, symbol: 'XAG' })
    await refusedTwice('CFID_UNVERIFIED')
    await publishBoth(gold)
    const mine = must(await patch(own, pooled)).body.data
    const theirs = must(await create()).body.data
    expect([mine.allowSharedLiquidity, mine.cfid]).toEqual([true, expect.stringMatching(/^0x[0-9a-f]{64}$/)])
    expect(theirs.cfid).toBe(mine.cfid)
    const ready = must(await owner.get(`${own.prefix}/order-books/${own.id}/readiness`)).body.data
    expect(ready).toMatchObject({ ready: true, sharedPeers: { enabled: true, peerIds: [theirs.id] } })
    const left = must(await patch(own, { allowSharedLiquidity: false })).body.data
    expect([left.allowSharedLiquidity, left.cfid]).toEqual([false, mine.cfid])
  })

  it('leaves the chain when nothing is in flight, and never comes back', async () => {
    const { books, owner, other, traders, superuser } = world
    const book = books.stocks
    const off = { settlementMode: 'OFF_CHAIN' }
    expectRefusal(await patch(books.commodities, off), 400, { code: 'INVALID_CONFIG' })
    expectRefusal(await patch(book, { ...off, status: 'PAUSED' }), 400, { code: 'INVALID_CONFIG' })
    must(await patch(book, { allowSharedLiquidity: true }))
    expectRefusal(await patch(book, off), 400, { code: 'INVALID_CONFIG' })
    must(await patch(book, { allowImport: true, allowSharedLiquidity: false }))
    must(await other.post(`${book.prefix}/imports`, { orderBookId: book.id }))
    const terms = { side: 'SELL', price: 10n * ONE, quantity: ONE } as const
    const { body } = await world.signOrder(traders[0], book, terms)
    const placed = must(await other.post(`${book.prefix}/orders`, body)).body.data
    expectRefusal(await patch(book, off), 400, { code: 'INVALID_CONFIG' })
    const userAddress = traders[0].address
    must(await other.call('DELETE', `${book.prefix}/orders/${placed.order.orderId}`, { body: { userAddress } }))

    expect(must(await patch(book, off)).body.data).toMatchObject({
      id: book.id,
      status: 'ACTIVE',
      settlementMode: 'OFF_CHAIN',
      custodyContract: null,
      allowImport: false,
    })
    expectRefusal(await other.get(`${book.prefix}/order-books/${book.id}`), 404, { code: 'ORDER_BOOK_NOT_FOUND' })
    expectRefusal(await patch(book, { settlementMode: 'ON_CHAIN' }), 409, { code: 'ONCHAIN_SETTLEMENT_UNAVAILABLE' })
    expect(must(await patch(book, off)).body.data.settlementMode).toBe('OFF_CHAIN')
    expect(must(await owner.get(`${book.prefix}/order-books/${book.id}/readiness`)).body.data).toMatchObject({
      ready: false,
      issues: [{ code: 'WRONG_SETTLEMENT_MODE' }],
    })
    // From now on the ledger backs its orders.
    const LEDGER = `${book.prefix}/offchain/ledger`
    for (const tokenAddress of [book.base, book.quote]) {
      must(await owner.post(`${LEDGER}/tokens`, { tokenAddress, symbol: 'TKN' }))
      const amount = (100n * ONE).toString()
      for (const customerRef of ['ann', 'ben'])
        must(await owner.post(`${LEDGER}/credit`, { customerRef, tokenAddress, amount }))
    }
    const order = { orderBookId: book.id, orderType: 'LIMIT', price: String(2n * ONE), quantity: String(ONE) }
    const submit = async (customerRef: string, side: string) =>
      must(await owner.post(`${book.prefix}/offchain/orders`, { ...order, customerRef, side })).body.data
    await submit('ann', 'SELL')
    expect(await submit('ben', 'BUY')).toMatchObject({ status: 'FILLED', trades: [{ settlementStatus: null }] })
    const [{ count } = { count: 0 }] = await superuser`
      select count(*)::int from order_books where book_id = ${book.id} and unit_id = book_id`
    expect(count).toBe(1)
  })
}

// #region imports
import { evenIfSecond, marketMakerWallet, openDemo } from '@tallystick/e2e'
import { followBook, signAndConfirm, signOrder } from '@tallystick/sdk'
import { parseUnits } from 'viem'
// #endregion

/** Quotes on both sides of a book, answers a request for quote, and everything settles on chain. */
export async function marketMaker(): Promise<void> {
  // #region who
  const demo = openDemo() // the one that `npm start` runs
  const wallet = await marketMakerWallet(demo) // may hold the stock, with shares and money to quote with
  const { trading } = demo.tally('issuer') // the venue: owns the book and settles its trades
  const orderBookId = demo.book('stock')
  const { data: book } = await trading.getOrderBook({ params: { orderBookId } })
  const { custodyContract, tokenAddress: share, quoteTokenAddress: euro } = book
  if (!custodyContract) throw new Error('this book does not settle on chain')
  const maker = wallet.account.address
  // #endregion

  demo.step('An account that may quote')
  // #region account
  const about = { userAddress: maker, name: 'Market maker', isMarketMaker: true, canQuote: true }
  const { data: account } = await trading.createAccount({ body: about })
  demo.show('account', `${account.accountId}, ${account.status}`)
  // #endregion

  demo.step('Shares and money into the vault: what is committed there backs the quotes')
  // #region deposit
  const shares = { userAddress: maker, tokenAddress: share, amount: String(parseUnits('100', book.baseDecimals ?? 0)) }
  const money = { userAddress: maker, tokenAddress: euro, amount: String(parseUnits('20000', book.quoteDecimals ?? 0)) }
  for (const deposit of [shares, money]) {
    const request = { params: { custodyContract }, body: { ...deposit, commit: true } }
    await signAndConfirm(trading.depositToCustody, request, wallet)
  }
  // #endregion

  demo.step('Quote both sides, a little around the reference price. Orders are signed, not sent')
  // #region quote
  const reference = parseUnits(book.priceRefLastPrice ?? '0', 6) // order book units: 1000000 is one
  const sides = [
    { side: 'BUY', price: String((reference * 9_970n) / 10_000n) },
    { side: 'SELL', price: String((reference * 10_030n) / 10_000n) },
  ] as const
  for (const { side, price } of sides) {
    const order = { orderBookId, userAddress: maker, side, price, quantity: '5000000' } as const
    const { terms } = await signOrder(trading.prepareOrder, { body: order }, wallet)
    const { data } = await trading.submitOrder({ body: { ...order, ...terms } })
    demo.show(side, `5 at ${price}: ${data.status}`)
  }
  // #endregion

  demo.step('Follow the book: every message is checked for gaps and against the checksum')
  // #region follow
  for await (const { message, book: replica } of followBook(trading.streamOrderBook, { params: { orderBookId } })) {
    const [bid, ask] = [replica.bids(1)[0], replica.asks(1)[0]]
    demo.show(message.type, `best bid ${bid?.price}, best ask ${ask?.price}`)
    if (bid && ask) break // a market maker would go on
  }
  // #endregion

  demo.step('Somebody with an instance of their own buys two shares')
  // #region trade
  const buyer = demo.wallet('Trader')
  const { trading: abroad } = demo.tally('trader') // has imported the book
  const take = { orderBookId, userAddress: buyer.account.address, side: 'BUY', quantity: '2000000' } as const
  const bought = { ...take, price: sides[1].price }
  const { terms } = await signOrder(abroad.prepareOrder, { body: bought }, buyer)
  const { data: taken } = await abroad.submitOrder({ body: { ...bought, ...terms, timeInForce: 'IOC' } })
  for (const { price, quantity } of taken.trades) demo.show('traded', `${quantity} at ${price}`)
  // #endregion

  demo.step('A customer asks for a price on more than the book shows: answer, and see it accepted')
  // #region rfq
  const customer = demo.wallet('Borrower')
  const pair = { baseToken: share, quoteToken: euro, custodyContract }
  const request = { requesterAddress: customer.account.address, side: 'SELL', baseAmount: '20000000' } as const
  const { data: rfq } = await trading.openRfq({ body: { ...pair, ...request, expiryMs: 60_000 } })
  const params = { id: rfq.id }

  const answer = { userAddress: maker, price: sides[0].price }
  const quoted = await signOrder(trading.prepareRfq, { params, body: answer }, wallet)
  const { maxFee: _, ...signed } = quoted.terms // a request for quote has no fee
  const { data: quote } = await trading.submitQuote({
    params,
    body: { lpAddress: maker, price: answer.price, ...signed },
  })

  const yes = { userAddress: customer.account.address, quoteId: quote.id }
  const accepted = await signOrder(trading.prepareRfq, { params, body: yes }, customer)
  const { maxFee: __, ...agreed } = accepted.terms
  const acceptance = { requesterAddress: customer.account.address, quoteId: quote.id, ...agreed }
  const { data: deal } = await trading.acceptQuote({ params, body: acceptance })
  demo.show('agreed', `${deal.trade.quantity} at ${deal.trade.price}`)
  // #endregion

  demo.step('The owner of the book settles: both legs of a trade move, or neither')
  // #region settle
  const operator = demo.wallet('Issuer platform')
  for (const { settlementId } of [...taken.settlements, deal.settlement]) {
    const request = { params: { settlementId } }
    const settle = () => signAndConfirm(trading.getSettlementCalldata, request, operator)
    const { confirmed } = await evenIfSecond(settle) // null: the keeper of the demo was faster
    demo.show('settlement', confirmed?.trades.map(({ outcome }) => outcome).join(', ') ?? 'settled already')
  }
  // #endregion

  demo.step('Take the quotes back')
  // #region cancel
  const { data: ended } = await trading.massCancelOrders({ body: { userAddress: maker, orderBookId } })
  demo.show('orders ended', ended.cancelled)
  // #endregion
}

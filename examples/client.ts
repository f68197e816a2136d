// The program that `docs/sdk.md` prints, beside a running `npm start`:
//   npx tsx examples/client.ts

// #region client
import { readFileSync } from 'node:fs'
import { createTally } from '@tallystick/sdk'

const demo = JSON.parse(readFileSync('var/demo.json', 'utf8')) // of the `npm start` that runs
const { baseUrl, rpcUrl, instances, markets, orderBooks } = demo

const tally = createTally({ baseUrl, apiKey: instances.issuer.apiKey })
const params = { marketId: markets.freeze.records.issuer }
const { data: market, metadata } = await tally.lending.getMarket({ params })
console.log(market.collateralTokenName, metadata.requestId)

// #endregion

// #region write
import { signAndConfirm } from '@tallystick/sdk'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const account = privateKeyToAccount(instances.issuer.wallets[0].privateKey)
const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) })
const body = { name: 'Ostsee Hafen AG', symbol: 'HAFN', isin: 'DE0007164600', issuerAddress: account.address }
const { confirmed, hashes } = await signAndConfirm(tally.stocks.deployStock, { body }, wallet)
console.log(hashes, confirmed) // transactionHash, tokenAddress, symbol, …, imported: true

// #endregion

// #region order
import { signOrder } from '@tallystick/sdk'
import { parseUnits } from 'viem'

const trader = createTally({ baseUrl, apiKey: instances.trader.apiKey })
const traderAccount = privateKeyToAccount(instances.trader.wallets[0].privateKey)
const traderWallet = createWalletClient({ account: traderAccount, chain: foundry, transport: http(rpcUrl) })

const { orderBookId } = orderBooks.stock
const { data: stock } = await tally.trading.getOrderBook({ params: { orderBookId } })
const price = String((parseUnits(stock.priceRefLastPrice ?? '0', 6) * 997n) / 1000n) // 1000000 is one
const userAddress = traderAccount.address
const order = { orderBookId, userAddress, side: 'BUY', price, quantity: '2000000' } as const
const { terms } = await signOrder(trader.trading.prepareOrder, { body: order }, traderWallet)
const { data: placed } = await trader.trading.submitOrder({ body: { ...order, ...terms } })
console.log(placed.status)
await trader.trading.massCancelOrders({ body: { userAddress, orderBookId } })

// #endregion

// #region refusal
import { isRefusal } from '@tallystick/sdk'

const { openLoan } = tally.lending
const tooMuch = { collateralAmount: '100000000', borrowAmount: '100', borrowerAddress: account.address }
try {
  await openLoan({ params, body: tooMuch })
} catch (error) {
  if (!isRefusal(error, openLoan)) throw error
  if (error.code === 'INSUFFICIENT_FREE_COLLATERAL') console.log(error.extra.details.free, 'notes are free')
  else console.log(error.code, error.message)
}

// #endregion

// #region pages
import { items } from '@tallystick/sdk'

for await (const loan of items(tally.lending.listPositions, { params }, ({ data }) => data.positions))
  console.log(loan.onChainLoanId, loan.borrowedAmount)

// #endregion

// #region streams
import { followBook } from '@tallystick/sdk'

for await (const { book } of followBook(trader.trading.streamOrderBook, { params: { orderBookId } })) {
  console.log(book.bids(10), book.asks(10))
  break // or go on for as long as you like
}
// #endregion

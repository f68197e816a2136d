const TOKEN = `0x${'5'.repeat(40)}`
const BOOK = '01890000-0000-7000-8000-000000000010'

const order = { customerRef: 'customer', side: 'BUY', orderType: 'LIMIT', price: '1000000', quantity: '1000000' }
const movement = { customerRef: 'customer', tokenAddress: TOKEN, amount: '1000000' }

const signedOrder = {
  userAddress: TOKEN,
  side: 'BUY',
  price: '1000000',
  quantity: '1000000',
  expiry: 4_000_000_000,
  nonce: '0',
  salt: `0x${'1'.repeat(64)}`,
  signature: '0x00',
}
const { side: _side, quantity: _quantity, ...sale } = signedOrder

const signed = { expiry: 4_000_000_000, nonce: '0', salt: `0x${'8'.repeat(64)}`, signature: '0x00' }

const newBook = { tokenAddress: TOKEN, quoteTokenAddress: `0x${'6'.repeat(40)}`, name: 'Book', symbol: 'BOOK' }
const custody = { userAddress: TOKEN, tokenAddress: TOKEN, amount: '1000000' }

/** One plausible body for each operation of the order books that takes one. */
export const tradingBodies: Record<string, Record<string, unknown>> = {
  createOffchainBook: { tokenAddress: TOKEN, quoteTokenAddress: `0x${'6'.repeat(40)}`, name: 'Book', symbol: 'BOOK' },
  updateOffchainBook: { status: 'PAUSED' },
  setOffchainPriceReference: { price: '1.5' },
  submitOffchainOrder: { orderBookId: BOOK, ...order },
  submitOffchainOrders: { orderBookId: BOOK, orders: [order] },
  cancelOffchainOrder: { customerRef: 'customer' },
  amendOffchainOrder: { customerRef: 'customer', quantity: '1000000' },
  massCancelOffchainOrders: { orderBookId: BOOK },
  prepareOrder: { orderBookId: BOOK, userAddress: TOKEN, side: 'BUY', price: '1000000', quantity: '1000000' },
  submitOrder: { orderBookId: BOOK, ...signedOrder },
  submitOrders: { orderBookId: BOOK, orders: [signedOrder] },
  submitPriorityOrder: { orderBookId: BOOK, liquidatedUser: TOKEN, amount: '1000000', ...sale },
  cancelOrder: { userAddress: TOKEN },
  amendOrder: { userAddress: TOKEN, quantity: '1000000' },
  massCancelOrders: { orderBookId: BOOK },
  cancelOrdersOnChain: { userAddress: TOKEN, orderIds: [BOOK] },
  raiseNonceFloor: { userAddress: TOKEN, orderBookId: BOOK, nonceFloor: '1' },
  registerLedgerToken: { tokenAddress: TOKEN, symbol: 'TKN' },
  creditLedger: movement,
  debitLedger: movement,
  createAccount: { customerRef: 'customer' },
  updateAccount: { name: 'Market maker' },
  createStockBook: newBook,
  createCommodityBook: { ...newBook, custodyContract: `0x${'7'.repeat(40)}` },
  createSecurityBook: { ...newBook, settlementOperator: TOKEN },
  approveQuoteAsset: { amount: '1000000' },
  depositToCustody: custody,
  commitInCustody: custody,
  requestCustodyWithdrawal: custody,
  cancelCustodyWithdrawal: { userAddress: TOKEN, tokenAddress: TOKEN },
  withdrawFromCustody: custody,
  updateOrderBook: { status: 'PAUSED' },
  setPriceReference: { price: '1.5' },
  importBook: { orderBookId: BOOK },
  confirmSettlement: { txHash: `0x${'7'.repeat(64)}` },
  openRfq: {
    requesterAddress: TOKEN,
    baseToken: TOKEN,
    quoteToken: `0x${'6'.repeat(40)}`,
    custodyContract: `0x${'7'.repeat(40)}`,
    side: 'BUY',
    baseAmount: '1000000',
  },
  prepareRfq: { userAddress: TOKEN, price: '1000000' },
  submitQuote: { lpAddress: TOKEN, price: '1000000', ...signed },
  withdrawQuote: { lpAddress: TOKEN },
  acceptQuote: { requesterAddress: TOKEN, quoteId: BOOK, ...signed },
  cancelRfq: { requesterAddress: TOKEN },
}

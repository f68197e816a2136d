const TOKEN = `0x${'5'.repeat(40)}`
const BOOK = '01890000-0000-7000-8000-000000000010'

const order = { customerRef: 'customer', side: 'BUY', orderType: 'LIMIT', price: '1000000', quantity: '1000000' }
const movement = { customerRef: 'customer', tokenAddress: TOKEN, amount: '1000000' }

/** One plausible body for each operation of the order books that takes one. */
export const orderbookBodies: Record<string, Record<string, unknown>> = {
  createOffchainBook: { tokenAddress: TOKEN, quoteTokenAddress: `0x${'6'.repeat(40)}`, name: 'Book', symbol: 'BOOK' },
  updateOffchainBook: { status: 'PAUSED' },
  setOffchainPriceReference: { price: '1.5' },
  submitOffchainOrder: { orderBookId: BOOK, ...order },
  submitOffchainOrders: { orderBookId: BOOK, orders: [order] },
  cancelOffchainOrder: { customerRef: 'customer' },
  amendOffchainOrder: { customerRef: 'customer', quantity: '1000000' },
  massCancelOffchainOrders: { orderBookId: BOOK },
  registerLedgerToken: { tokenAddress: TOKEN, symbol: 'TKN' },
  creditLedger: movement,
  debitLedger: movement,
  createAccount: { customerRef: 'customer' },
  updateAccount: { name: 'Market maker' },
  updateOrderBook: { status: 'PAUSED' },
  importBook: { orderBookId: BOOK },
}

import type { OrderLoad } from './load.ts'
import { OFFCHAIN } from './market.ts'
import { CUSTOMERS, type Ledger } from './replica-set.ts'

/** Every second one buys what the one before it sells. */
export const orderOf = (turn: number) => ({
  customerRef: CUSTOMERS[turn % CUSTOMERS.length],
  side: turn % 2 === 0 ? 'BUY' : 'SELL',
  orderType: 'LIMIT',
  price: '100000000',
  quantity: '1000000',
})

/** Orders of one ledger, one to a request. */
export function loadOf(url: string, { apiKey, orderBookId }: Ledger): OrderLoad {
  let turn = 0
  return {
    url: `${url}${OFFCHAIN}/orders`,
    headers: { 'x-api-key': apiKey },
    body: () => JSON.stringify({ orderBookId, ...orderOf(++turn) }),
    orders: 1,
  }
}

import autocannon from 'autocannon'

/**
 * As many orders as 64 connections bring, over several books, from a process of its own: whoever measures beside it must not share its
 * loop. Refusals are counted, not complained about. Ends when it is killed.
 */
const [url = '', apiKey = '', ...books] = process.argv.slice(2)
let turn = 0
const options: autocannon.Options = {
  url,
  connections: 64,
  duration: 3600,
  timeout: 60,
  requests: [
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      setupRequest: (request: autocannon.Request) => {
        turn += 1
        const order = {
          orderBookId: books[turn % books.length],
          customerRef: `customer-${turn % 32}`,
          side: turn % 2 === 0 ? 'BUY' : 'SELL',
          orderType: 'LIMIT',
          price: '100000000',
          quantity: '1000000',
        }
        return { ...request, body: JSON.stringify(order) }
      },
    },
  ],
}
autocannon(options, () => undefined).on('start', () => process.stdout.write('flooding\n'))

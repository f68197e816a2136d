import { createEngine } from '@tallystick/engine'

/** Says what resting orders of one book take of memory. Needs --expose-gc. */
const orders = Number(process.argv[2])
const [BOOK, LEVELS, ACCOUNTS] = ['00000000-0000-7000-8000-000000000000', 1_000, 10_000]
const engine = createEngine()
engine.apply({
  kind: 'openBook',
  at: 0,
  book: BOOK,
  instance: BOOK,
  base: `0x${'a'.repeat(40)}`,
  quote: `0x${'b'.repeat(40)}`,
  rules: {
    tickSize: 1,
    lotSize: 1,
    minOrderSize: 1,
    maxOrderSize: null,
    makerFeeBps: 5,
    takerFeeBps: 10,
    mmMakerRebateBps: null,
    rollUnmatched: false,
  },
  staged: false,
  pooled: false,
})
const collect = (globalThis as { gc?: () => void }).gc ?? (() => undefined)
const used = () => {
  collect()
  return process.memoryUsage().heapUsed
}
const before = used()
const begun = performance.now()
for (let number = 0; number < orders; number += 1) {
  const side = number % 2 === 0 ? 'BUY' : 'SELL'
  const distance = 1 + ((number >> 1) % LEVELS)
  engine.apply({
    kind: 'place',
    at: 0,
    order: `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
    book: BOOK,
    account: `${BOOK} offchain:customer-${number % ACCOUNTS}`,
    side,
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: 1_000_000 + (side === 'BUY' ? -distance : distance),
    quantity: 1_000_000,
  })
}
const seconds = (performance.now() - begun) / 1000
const bytes = used() - before
// Asked after the memory was measured, or else it would have been given back.
const resting = engine.depth(BOOK, 1)
if (!resting?.bids[0] || !resting.asks[0]) throw new Error('no order rests')
process.stdout.write(
  `${orders} resting orders: ${Math.round(bytes / 2 ** 20)} MiB, ${Math.round(bytes / orders)} bytes each, placed in ${seconds.toFixed(1)} s\n`,
)

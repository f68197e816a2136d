import type { Command, Place } from '../../src/commands.ts'
import { isQueued, isWaiting, type NaiveOrder, type NaiveState } from '../naive/naive-state.ts'
import type { Dice } from './dice.ts'
import { ACCOUNTS, drawRules, type World } from './world.ts'

export interface Draw {
  readonly dice: Dice
  readonly world: World
  readonly naive: Readonly<NaiveState>
  /** Counts the commands of this run. */
  readonly number: number
  readonly at: number
}

type Drawing = (draw: Draw) => Command

const weights: readonly (readonly [number, Drawing])[] = [
  [1200, drawPlace],
  [140, drawCancel],
  [200, drawAmend],
  [220, drawSettlement],
  [4, drawMassCancel],
  [30, ({ at }) => ({ kind: 'expire', at })],
  [30, drawReference],
  [70, drawAuction],
  [45, drawBook],
  [25, drawReport],
]
const total = weights.reduce((sum, [weight]) => sum + weight, 0)

/** A command that makes sense now, or is just beyond what is allowed. */
export function drawCommand(draw: Draw): Command {
  let ticket = draw.dice.integer(0, total - 1)
  for (const [weight, drawing] of weights) {
    if (ticket < weight) return drawing(draw)
    ticket -= weight
  }
  throw new Error('The weights do not add up')
}

/** Also as a number where it is one: callers may use either. */
const either = (dice: Dice, amount: bigint): bigint | number =>
  amount <= Number.MAX_SAFE_INTEGER && dice.chance(0.5) ? Number(amount) : amount

function drawPrice({ dice, world }: Draw): bigint | number {
  if (dice.chance(0.005)) return dice.pick([0n, -5n, 2n ** 63n - 1n, 2n ** 63n])
  if (world.scale === 'dust' && dice.chance(0.2)) return either(dice, dice.bigint(1n, 3_000_000n))
  const away = BigInt(dice.integer(-world.width, world.width)) * world.tick
  const offTick = dice.chance(0.01) ? 1n : 0n
  return either(dice, world.middle + away + offTick)
}

function drawQuantity({ dice, world }: Draw): bigint | number {
  if (dice.chance(0.005)) return dice.pick([0n, -1n, 2n ** 63n - 1n, 2n ** 63n])
  const most = dice.chance(0.1) ? world.largest : world.largest / 8n + 1n
  const drawn = dice.bigint(1n, most)
  return either(dice, dice.chance(0.9) ? drawn * 2n : drawn)
}

function drawPlace(draw: Draw): Place {
  const { dice, naive, world, number, at } = draw
  const isMarket = dice.chance(0.12)
  const side = dice.pick(['BUY', 'SELL'] as const)
  const hasOddPrice = dice.chance(0.01)
  const isDuplicate = dice.chance(0.01) && naive.orders.length > 0
  const maybe = <Part extends object>(probability: number, part: () => Part) => (dice.chance(probability) ? part() : {})
  return {
    kind: 'place',
    at,
    order: isDuplicate ? dice.pick(naive.orders).placed.order : `o${number}`,
    book: dice.chance(0.005) ? 'none' : dice.pick(world.books).book,
    account: dice.pick(ACCOUNTS),
    side,
    type: isMarket ? 'MARKET' : 'LIMIT',
    timeInForce: dice.chance(0.75) ? 'GTC' : dice.pick(['IOC', 'FOK'] as const),
    quantity: drawQuantity(draw),
    ...(isMarket === hasOddPrice ? { price: drawPrice(draw) } : {}),
    ...maybe(0.1, () => ({ postOnly: true })),
    ...maybe(0.5, () => ({
      selfTradePrevention: dice.pick(['NONE', 'CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH'] as const),
    })),
    ...maybe(0.15, () => ({ expiresAt: at + dice.integer(-1, 300) })),
    ...maybe(0.3, () => ({ marketMaker: true })),
    ...maybe(0.15, () => ({ maxFee: either(dice, dice.bigint(0n, world.largest * 20n)) })),
    ...maybe(isMarket && side === 'BUY' ? 0.4 : 0.003, () => ({
      budget: either(dice, dice.bigint(0n, world.largest * 100n)),
    })),
    ...maybe(0.03, () => ({ bandExempt: true })),
    ...maybe(0.08, () => ({ vetoes: [{ account: dice.pick(ACCOUNTS), rule: 'transfer rule 9' }] })),
  }
}

/** Mostly a live order of anybody, now and then one that is not there. */
function drawOrder({ dice, naive, number }: Draw): Pick<Place, 'order' | 'account'> {
  const live = naive.orders.filter(isWaiting)
  const [order] = live.length === 0 || dice.chance(0.03) ? [] : [dice.pick(live)]
  const account = dice.chance(0.03) ? dice.pick(ACCOUNTS) : (order?.placed.account ?? 'ada')
  return { order: order?.placed.order ?? `o${dice.integer(0, number)}`, account }
}

function drawCancel(draw: Draw): Command {
  const { order, account } = drawOrder(draw)
  return {
    kind: 'cancel',
    at: draw.at,
    order,
    ...(draw.dice.chance(0.5) ? { account } : {}),
    ...(draw.dice.chance(0.3) ? { reason: 'NONCE_INVALIDATED' } : {}),
  }
}

function drawAmend(draw: Draw): Command {
  const { dice, naive, at } = draw
  const { order, account } = drawOrder(draw)
  const known = naive.orders.find((candidate) => candidate.placed.order === order && isQueued(candidate))
  const quantity = () => (known && dice.chance(0.7) ? around(dice, known) : drawQuantity(draw))
  return {
    kind: 'amend',
    at,
    order,
    ...(dice.chance(0.5) ? { account } : {}),
    ...(dice.chance(0.7) ? { quantity: quantity() } : {}),
    ...(dice.chance(0.4) ? { price: drawPrice(draw) } : {}),
  }
}

function around(dice: Dice, { quantity }: NaiveOrder): bigint | number {
  return either(dice, dice.bigint(1n, quantity + quantity / 4n + 2n))
}

function drawSettlement({ dice, naive, number, at }: Draw): Command {
  const trade = naive.trades.length === 0 || dice.chance(0.02) ? dice.integer(0, number) : dice.pick(naive.trades).trade
  return dice.chance(0.55) ? { kind: 'settle', at, trade } : { kind: 'unwind', at, trade, reason: 'signature expired' }
}

function drawMassCancel({ dice, world, at }: Draw): Command {
  const part = dice.integer(1, 7)
  return {
    kind: 'massCancel',
    at,
    ...(part & 1 ? { account: dice.pick(ACCOUNTS) } : {}),
    ...(part & 2 ? { book: dice.pick(world.books).book } : {}),
    ...(part & 4 ? { side: dice.pick(['BUY', 'SELL'] as const) } : {}),
  }
}

function drawReference({ dice, world, at }: Draw): Command {
  const book = dice.chance(0.02) ? 'none' : dice.pick(world.books).book
  const price = dice.chance(0.1)
    ? null
    : world.middle + BigInt(dice.integer(-world.width, world.width) >> 1) * world.tick
  return {
    kind: 'setReference',
    at,
    book,
    price: dice.chance(0.02) ? 0n : price,
    ...(dice.chance(0.6) ? { spreadBps: dice.pick([1, 5, 100, 5000, 5000]) } : {}),
    ...(dice.chance(0.3) ? { circuitBreakerBps: dice.pick([1, 3, 10, 100]) } : {}),
  }
}

function drawAuction({ dice, naive, number, at }: Draw): Command {
  const inAuction = naive.books.filter((book) => book.auction !== null)
  if (inAuction.length > 0 && dice.chance(0.75)) {
    const book = dice.pick(inAuction).id
    if (dice.chance(0.1)) return { kind: 'cancelAuction', at, book }
    return { kind: 'uncross', at, book, ...(dice.chance(0.5) ? { next: `auction ${number}` } : {}) }
  }
  const book = dice.chance(0.03) ? 'none' : dice.pick(naive.books).id
  const kind = dice.chance(0.9) ? 'openAuction' : dice.pick(['uncross', 'cancelAuction'] as const)
  return kind === 'openAuction' ? { kind, at, book, auction: `auction ${number}` } : { kind, at, book }
}

function drawBook({ dice, world, naive, at }: Draw): Command {
  const opened = dice.pick(world.books)
  const idle = naive.books.filter((book) => book.status !== 'ACTIVE')
  if (idle.length > 0 && dice.chance(0.6)) return { kind: 'updateBook', at, book: dice.pick(idle).id, status: 'ACTIVE' }
  if (dice.chance(0.02)) return { ...opened, at }
  if (dice.chance(0.4))
    return { kind: dice.pick(['pool', 'unpool'] as const), at, book: dice.chance(0.03) ? 'none' : opened.book }
  const status = dice.chance(0.5)
    ? { status: dice.pick(['ACTIVE', 'ACTIVE', 'PAUSED', 'PAUSED', 'PAUSED', 'CLOSED'] as const) }
    : {}
  const badRules = { ...drawRules(dice, world.tick), makerFeeBps: 1001 }
  const rules = dice.chance(0.6) ? { rules: dice.chance(0.03) ? badRules : drawRules(dice, world.tick) } : {}
  return { kind: 'updateBook', at, book: opened.book, ...status, ...rules }
}

function drawReport(draw: Draw): Command {
  const { dice, world, number, at } = draw
  return {
    kind: 'report',
    at,
    book: dice.chance(0.03) ? 'none' : dice.pick(world.books).book,
    makerOrder: `quote ${number}`,
    takerOrder: `acceptance ${number}`,
    makerAccount: dice.pick(ACCOUNTS),
    takerAccount: dice.pick(ACCOUNTS),
    side: dice.pick(['BUY', 'SELL'] as const),
    price: drawPrice(draw),
    quantity: drawQuantity(draw),
  }
}

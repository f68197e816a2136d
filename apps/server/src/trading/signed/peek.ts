import { type Amount, exact, type MakerView, type Place, plus } from '@tallystick/engine'
import { MAX_UNITS } from '../books/index.rules.ts'
import type { UnitsService } from '../unit/index.ts'
import type { Draft } from './draft.ts'
import type { OnchainBook } from './onchain-book.ts'

const lesser = (a: Amount, b: Amount): Amount => (a < b ? a : b)

function doCross(one: Place, other: Place): boolean {
  if (one.side === other.side) return false
  const [buy, sell] = one.side === 'BUY' ? [one, other] : [other, one]
  return (buy.price ?? 0) >= (sell.price ?? 0)
}

/** What of an earlier order of the batch may rest in the way of a later one. */
const asMaker = (mate: Place, taker: Place): MakerView => ({
  order: mate.order,
  account: mate.account,
  book: mate.book,
  price: mate.price ?? 0,
  quantity: lesser(mate.quantity, taker.quantity),
})

/**
 * Whom an order may meet, as far as this process knows: what rests, as deep as it comes when the orders of its side before it in the batch
 * have taken all they can; and those of the batch that cross it. At its turn it is seen whether that was all.
 */
export async function peekMakers(
  units: UnitsService,
  { unitId, row }: OnchainBook,
  draft: Draft,
  before: readonly Draft[],
): Promise<MakerView[]> {
  // How deep it comes is asked here, not whether it would be taken: neither its fee nor its being filled whole counts.
  const { maxFee: _fee, ...command } = draft.command
  const mates = before.map((one) => one.command)
  const wanted = mates
    .filter(({ side }) => side === command.side)
    .reduce((sum, { quantity }) => plus(sum, quantity), command.quantity)
  const quantity = lesser(wanted, exact(row.maxOrderSize ?? MAX_UNITS))
  const resting = await units.makersFor(unitId, { ...command, quantity, timeInForce: 'GTC' }, row.version)
  return [...resting, ...mates.filter((mate) => doCross(command, mate)).map((mate) => asMaker(mate, command))]
}

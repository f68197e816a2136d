const BPS = 10_000n
const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** What of a market's record decides where its cash goes. */
export interface RealizationBooks {
  readonly claim: bigint
  readonly principalOwed: bigint
  readonly principalRecovered: bigint
  readonly totalDebt: bigint
  readonly floorValue: bigint
  readonly penaltyBps: number
  readonly held: bigint
  readonly recovered: bigint
  readonly covered: bigint
  readonly keptPenalty: bigint
  readonly beyond: bigint
  readonly isCountersigned: boolean
}

/** What realizations of a loan left unpaid. */
export interface ArrearsBooks {
  readonly lost: bigint
  readonly advanced: bigint
}

export interface Surroundings {
  readonly arrears: ArrearsBooks
  /** What the loan still owes; 0 once it is closed. */
  readonly loanDebt: bigint
  /** What the insurance fund would pay the market at most. */
  readonly coverable: bigint
}

interface Legs {
  readonly toClaim: bigint
  readonly toFund: bigint
  readonly penalty: bigint
  readonly debtApplied: bigint
  readonly recovered: bigint
  readonly lastPenalty: bigint
  readonly surplus: bigint
}

interface Rooms {
  readonly claimOpen: bigint
  readonly advancedOpen: bigint
  readonly penaltyRoom: bigint
  readonly loanDebt: bigint
  readonly lostOpen: bigint
  readonly lastPenaltyRoom: bigint
}

/** In the order of the market: the pool, the fund, the penalty, the loan, earlier losses, the rest of the penalty, the borrower. */
function split(cash: bigint, rooms: Rooms): Legs {
  let left = cash
  const take = (room: bigint): bigint => {
    const taken = least(left, room)
    left -= taken
    return taken
  }
  const toClaim = take(rooms.claimOpen)
  const toFund = take(rooms.advancedOpen)
  const penalty = take(rooms.penaltyRoom)
  const debtApplied = take(rooms.loanDebt)
  const recovered = take(rooms.lostOpen)
  const lastPenalty = take(rooms.lastPenaltyRoom)
  return { toClaim, toFund, penalty, debtApplied, recovered, lastPenalty, surplus: left }
}

function penaltyRooms({ claim, totalDebt, penaltyBps, keptPenalty }: RealizationBooks, beyond: bigint) {
  const penaltyDown = (amount: bigint) => (amount * BigInt(penaltyBps)) / BPS
  const onClaim = penaltyDown(claim)
  // Interest and draws since the seizure bear no penalty.
  const onAll = penaltyDown(least(claim + beyond, totalDebt))
  if (keptPenalty < onClaim) return { penaltyRoom: onClaim - keptPenalty, lastPenaltyRoom: onAll - onClaim }
  return { penaltyRoom: 0n, lastPenaltyRoom: onAll > keptPenalty ? onAll - keptPenalty : 0n }
}

function roomsOf(books: RealizationBooks, arrears: ArrearsBooks, loanDebt: bigint, isLate: boolean): Rooms {
  const open = books.claim - books.recovered - books.covered
  // Late, the open rest of the claim is among what the pool lost; another sale of the loan may have made up for it.
  const claimOpen = isLate ? least(open, arrears.lost) : open
  return {
    claimOpen,
    advancedOpen: arrears.advanced,
    loanDebt,
    lostOpen: arrears.lost - (isLate ? claimOpen : 0n),
    ...penaltyRooms(books, books.beyond + loanDebt),
  }
}

/** The sale is reported by one operator: below the floor value the missing part is not the fund's. */
function coverableGap({ claim, floorValue, isCountersigned }: RealizationBooks, proceeds: bigint): bigint {
  const credited = isCountersigned || proceeds > floorValue ? proceeds : floorValue
  return claim > credited ? claim - credited : 0n
}

interface Draw {
  readonly requested: bigint
  readonly covered: bigint
}

export interface Waterfall extends Legs {
  readonly late: boolean
  readonly cash: bigint
  /** Null: nobody asked the fund. */
  readonly reserve: Draw | null
  /** Principal that neither the cash nor the fund brought. */
  readonly shortfall: bigint
}

/** Where the cash of a sale goes, together with what an auction brought before; to the unit as the market books it. */
export function settlementOf(
  books: RealizationBooks,
  { arrears, loanDebt, coverable }: Surroundings,
  { routerCash, isOpen }: { readonly routerCash: bigint; readonly isOpen: boolean },
): Waterfall {
  const cash = routerCash + books.held
  const legs = split(cash, cash === 0n ? noRooms : roomsOf(books, arrears, loanDebt, !isOpen))
  if (!isOpen) return { ...legs, late: true, cash, reserve: null, shortfall: 0n }
  const gap = legs.toClaim < books.claim ? coverableGap(books, cash) : 0n
  const reserve = gap === 0n ? null : { requested: gap, covered: least(gap, coverable) }
  const brought = books.principalRecovered + legs.toClaim + (reserve?.covered ?? 0n)
  const shortfall = brought < books.principalOwed ? books.principalOwed - brought : 0n
  return { ...legs, late: false, cash, reserve, shortfall }
}

const noRooms: Rooms = {
  claimOpen: 0n,
  advancedOpen: 0n,
  penaltyRoom: 0n,
  loanDebt: 0n,
  lostOpen: 0n,
  lastPenaltyRoom: 0n,
}

export interface WriteOff extends Legs {
  readonly late: true
  readonly cash: bigint
  readonly reserve: Draw
  /** What of the claim the pool bears after all of it. */
  readonly poolLoss: bigint
}

/** The fund is asked for the whole claim; what an auction brought counts as late cash after that. */
export function writeOffOf(books: RealizationBooks, { arrears, loanDebt, coverable }: Surroundings): WriteOff {
  const covered = least(books.claim, coverable)
  const missing = books.claim - books.recovered - covered
  const after: RealizationBooks = { ...books, covered: books.covered + covered }
  const owing = { lost: arrears.lost + missing, advanced: arrears.advanced + covered }
  const cash = books.held
  const legs = split(cash, cash === 0n ? noRooms : roomsOf(after, owing, loanDebt, true))
  return { ...legs, late: true, cash, reserve: { requested: books.claim, covered }, poolLoss: missing - legs.toClaim }
}

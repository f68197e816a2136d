import {
  attempt,
  auctionFigures,
  initialState,
  type LendingState,
  loanFigures,
  type MarketBirth,
  perform,
  poolFigures,
  positionFigures,
  type StepArguments,
  type StepName,
  type StepOf,
  shareValueDown,
} from '@tallystick/lending-model'
import { formatUnits } from '../../src/platform/amounts.rules.ts'

/** Who may do what in the model: it knows roles by these names. Borrowers and bidders may have any. */
type ModelParty = 'lenderA' | 'admin' | 'liquidator' | 'seller' | 'saleRecipient' | 'signer' | (string & {})

type Birth = Omit<MarketBirth, 'operator' | 'assets' | 'collaterals'>

const fortune = 10n ** 30n

/**
 * The reference model beside a market that is driven through the interface: whatever is mined there is done here at the same second,
 * and what the interface answers must then be what the model says, to the smallest unit.
 */
export function createShadow(birth: Birth, parties: readonly string[]) {
  const rich = new Map([...parties, 'lenderA', 'admin', 'seller', 'saleRecipient'].map((party) => [party, fortune]))
  let state: LendingState = initialState({ ...birth, operator: 'lenderA', assets: rich, collaterals: new Map(rich) })
  const asset = (raw: bigint) => formatUnits(raw, Number(birth.assetDecimals))
  const collateral = (raw: bigint) => formatUnits(raw, Number(birth.collateralDecimals))
  const required = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw new Error(`the model has no ${what}`)
    return found
  }

  /** The books if this were done at the second `at`. */
  function imagine<Name extends StepName>(
    name: Name,
    caller: ModelParty,
    args: StepArguments[Name],
    at: number,
  ): LendingState {
    const step = { name, caller, seconds: 0n, args } as StepOf<Name>
    const outcome = attempt(state, (draft) => perform({ state: draft, now: BigInt(at), caller }, step))
    if (outcome.refusal !== undefined) throw new Error(`the model refuses ${name}: ${outcome.refusal}`)
    return outcome.state
  }

  return {
    imagine,

    /** Does on the model what was mined at the second `at`. */
    take<Name extends StepName>(name: Name, caller: ModelParty, args: StepArguments[Name], at: number): void {
      state = imagine(name, caller, args, at)
    },

    get state(): LendingState {
      return state
    },

    /** Shares were split: everybody has more of them, and every loan. The model itself knows no splits. */
    split(numerator: bigint, denominator: bigint): void {
      const scaled = (amount: bigint) => (amount * numerator) / denominator
      state = structuredClone(state)
      for (const loan of state.loans.values()) loan.collateral = scaled(loan.collateral)
      for (const [party, held] of state.collaterals) state.collaterals.set(party, scaled(held))
    },

    /** What the chain took back did not happen here either. */
    restore(before: LendingState): void {
      state = before
    },

    /** A loan as the interface shows it at the second `at`. */
    loan(loanId: number, at: number) {
      const figures = loanFigures(state, required(state.loans.get(BigInt(loanId)), `loan ${loanId}`), BigInt(at))
      return {
        principal: asset(figures.principal),
        accruedInterest: asset(figures.interest),
        collateralAmount: collateral(figures.collateral),
        healthFactor: figures.principal + figures.interest === 0n ? null : formatUnits(figures.healthFactor, 18),
      }
    },

    /** The pool in smallest units. */
    pool: (at: number) => poolFigures(state, BigInt(at)),

    /** A provider's shares and what they are worth. */
    provider(party: ModelParty, at: number) {
      const { shares, fees } = positionFigures(state, party)
      const value = shareValueDown(state, shares, BigInt(at))
      return { shares: formatUnits(shares, 18), value: asset(value), fees: asset(fees) }
    },

    /** The market's own record of a seizure. */
    realization: (id: number) => required(state.realizations.get(BigInt(id)), `realization ${id}`),

    routed: (id: number) => required(state.routed.get(BigInt(id)), `liquidation ${id}`),

    auction(id: number, at: number) {
      const auction = required(state.auctions.get(BigInt(id)), `auction ${id}`)
      const { currentPrice, endTime, remaining } = auctionFigures(state, auction, BigInt(at))
      return {
        currentPrice: asset(currentPrice),
        endTime: Number(endTime),
        collateralRemaining: collateral(remaining),
      }
    },

    assetOf: (party: ModelParty): bigint => required(state.assets.get(party), `cash of ${party}`) - fortune,
    asset,
    collateral,
  }
}

/** What a transaction offers for a unit of gas, in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint
  /** Null: the chain knows one price only, and `maxFeePerGas` is it. */
  readonly maxPriorityFeePerGas: bigint | null
}

/** What a node says about the price of gas now. */
export interface GasPrices {
  /** Null: a chain without a base fee. */
  readonly baseFee: bigint | null
  /** Null: the node does not tell. */
  readonly priorityFee: bigint | null
  readonly gasPrice: bigint
}

const USUAL_PRIORITY_FEE = 1_000_000_000n

/** Twice the base fee outlasts six full blocks in a row. */
export function suggestedFees({ baseFee, priorityFee, gasPrice }: GasPrices): Fees {
  if (baseFee === null) return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: null }
  const priority = priorityFee ?? USUAL_PRIORITY_FEE
  return { maxFeePerGas: baseFee * 2n + priority, maxPriorityFeePerGas: priority }
}

/** An eighth more, rounded up: nodes take no replacement that offers less than a tenth more. */
const raised = (fee: bigint): bigint => fee + (fee < 1n ? 1n : (fee + 7n) / 8n)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** What does not get through for twice the price does not wait for the price. */
const MOST_TIMES_NOW = 2n

/**
 * The fees of a replacement: what gas costs now, but enough more than before for nodes to take it. Null: that would cost more than
 * the whole transaction may, or than makes sense.
 */
export function replacementFees(
  before: Fees,
  now: Fees,
  { gasLimit, ceiling }: { readonly gasLimit: bigint; readonly ceiling: bigint | null },
): Fees | null {
  const least = raised(before.maxFeePerGas)
  const highest = ceiling === null ? null : ceiling / gasLimit
  if ((highest !== null && least > highest) || least > now.maxFeePerGas * MOST_TIMES_NOW) return null
  const wanted = larger(least, now.maxFeePerGas)
  const maxFeePerGas = highest === null ? wanted : smaller(wanted, highest)
  if (before.maxPriorityFeePerGas === null) return { maxFeePerGas, maxPriorityFeePerGas: null }
  const priority = larger(raised(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas ?? 0n)
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(priority, maxFeePerGas) }
}

/** A quarter more than the node reckons: other transactions may come first and change what there is to do. */
export const gasLimitFor = (estimate: bigint): bigint => (estimate * 5n + 3n) / 4n

/** Wei that the gas may cost at most. */
export const gasCost = (gasLimit: bigint, fees: Fees): bigint => gasLimit * fees.maxFeePerGas

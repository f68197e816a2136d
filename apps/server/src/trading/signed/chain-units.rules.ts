import { DECIMALS } from '../books/index.rules.ts'

const power = (decimals: number): bigint => 10n ** BigInt(decimals)
const SCALE = power(DECIMALS)

/** Amounts in order book units that a token with so many decimals can tell: multiples of this. */
export const stepOf = (decimals: number): bigint => (decimals >= DECIMALS ? 1n : power(DECIMALS - decimals))

/** Order book units in smallest units of the token. Null: finer than the token, never rounded. */
export function exactChainAmount(units: bigint, decimals: number): bigint | null {
  const scaled = units * power(decimals)
  return scaled % SCALE === 0n ? scaled / SCALE : null
}

/** The same for a fee, which may be finer than the token: what the token cannot tell is not charged. */
export function chainFeeDown(units: bigint, decimals: number): bigint {
  const scaled = units * power(decimals)
  // A rebate is negative, and rounds towards nothing as well.
  return scaled / SCALE
}

/** What a balance on chain is worth as backing: never more than is there. */
export const unitsDown = (amount: bigint, decimals: number): bigint => (amount * SCALE) / power(decimals)

/** What a fill costs on chain, as the contract computes it. */
export const quoteAmountDown = (quantity: bigint, price: bigint, baseDecimals: number): bigint =>
  (quantity * price) / power(baseDecimals)

/** The contract's own bound: an amount that is not exact has at least so many units, so that rounding takes little. */
const COARSEST = 1_000n

/** Whether the contract would refuse to settle so little. */
export function isFillTooSmall(quantity: bigint, price: bigint, baseDecimals: number): boolean {
  const amount = quoteAmountDown(quantity, price, baseDecimals)
  const isExact = (quantity * price) % power(baseDecimals) === 0n
  return amount === 0n || (!isExact && amount < COARSEST)
}

/** Quantities and amounts on chain stay below this. */
export const CHAIN_AMOUNT_LIMIT = 2n ** 128n
/** And so does what an order pays in fees. */
export const CHAIN_FEE_LIMIT = 2n ** 120n

import { formatUnits } from '../../platform/amounts.rules.ts'

/** Constants of the contracts: the same in every market, for ever. */
export const feeShares = { infrastructureBps: 1_500, operatorBps: 800, distributorBps: 500 } as const
export const FLAT_FEE_CAP_BPS = 50

const BPS = 10_000n

/** How the market splits a flat fee: the shares floor, infrastructure takes the rest. */
export function splitFlatFee(fee: bigint) {
  const operator = (fee * BigInt(feeShares.operatorBps)) / BPS
  const distributor = (fee * BigInt(feeShares.distributorBps)) / BPS
  return { infrastructure: fee - operator - distributor, operator, distributor }
}

type Key = 'INFRASTRUCTURE' | 'OPERATOR' | 'DISTRIBUTOR' | 'INSURANCE_FUND' | 'LIQUIDITY_PROVIDERS'
type Base = 'REPAID_INTEREST' | 'AFTER_INFRASTRUCTURE' | 'AFTER_SHARES' | 'REMAINDER'

/** Parts of interest as exact fractions: of 10^12, so that three rates can be multiplied without rounding. */
const WHOLE = BPS ** 3n

export interface SplitRecipients {
  readonly infrastructure: string | null
  readonly operator: string | null
  readonly insuranceFund: string | null
}

/** @param offeredBps Where the operator share was offered: then there are no distributors.
 * @param insuranceBps Null: the market did not say. */
export function feeLegs(offeredBps: number | null, insuranceBps: number | null, to: SplitRecipients) {
  const operatorBps = offeredBps ?? feeShares.operatorBps
  const distributorBps = offeredBps === null ? feeShares.distributorBps : 0
  const infrastructure = (WHOLE / BPS) * BigInt(feeShares.infrastructureBps)
  const remainder = WHOLE - infrastructure
  const operator = (remainder / BPS) * BigInt(operatorBps)
  const distributor = (remainder / BPS) * BigInt(distributorBps)
  const after = remainder - operator - distributor
  const insurance = insuranceBps === null ? null : (after / BPS) * BigInt(insuranceBps)
  const providers = insurance === null ? null : after - insurance
  const leg = (key: Key, ofBase: Base, part: bigint | null, rateBps: number | null, recipient: string | null) => ({
    key,
    recipient,
    rateE18: rateBps === null ? null : (BigInt(rateBps) * 10n ** 14n).toString(),
    rateBps,
    ofBase,
    effectiveBps: part === null ? null : formatUnits(part, 8),
    perHundred: part === null ? null : formatUnits(part, 10),
  })
  return [
    leg('INFRASTRUCTURE', 'REPAID_INTEREST', infrastructure, feeShares.infrastructureBps, to.infrastructure),
    leg('OPERATOR', 'AFTER_INFRASTRUCTURE', operator, operatorBps, to.operator),
    leg('DISTRIBUTOR', 'AFTER_INFRASTRUCTURE', distributor, distributorBps, null),
    leg('INSURANCE_FUND', 'AFTER_SHARES', insurance, insuranceBps, to.insuranceFund),
    leg('LIQUIDITY_PROVIDERS', 'REMAINDER', providers, null, null),
  ]
}

import type { SettlementReceipt } from '../router/index.ts'
import type { SeizureForecast, Trigger } from './seizure.rules.ts'
import { reimbursed } from './seizure-receipt.ts'

/** Amounts of the borrow asset and of the collateral token, as answers show them. */
interface Shown {
  readonly cash: (raw: bigint) => string
  readonly tokens: (raw: bigint) => string
}

interface Forecast {
  readonly trigger: Trigger
  readonly price: bigint
  readonly forecast: SeizureForecast
  /** Why a sale at once would not happen; null: nothing stands in its way. */
  readonly atomicFault: string | null
}

/** What a seizure would take, and what would become of it. */
export const shownForecast = ({ trigger, price, forecast, atomicFault }: Forecast, { cash, tokens }: Shown) => ({
  trigger,
  path: forecast.path,
  claim: cash(forecast.claim),
  penaltyBps: Number(forecast.penaltyBps),
  collateralTaken: tokens(forecast.taken),
  collateralReturned: tokens(forecast.returned),
  closesLoan: forecast.closes,
  writtenOffAtSeizure: cash(forecast.residual),
  price: cash(price),
  floorValue: cash(forecast.floorValue),
  expectedPayment: forecast.payment === null ? null : cash(forecast.payment),
  atomicFault,
})

/** What the insurance fund paid and got back; null: it had no part in it. */
export function shownReserve(
  claim: bigint,
  settled: SettlementReceipt | null,
  writtenOff: { readonly covered: bigint } | null,
  cash: Shown['cash'],
) {
  if (!settled && !writtenOff) return null
  return {
    seizureCovered: cash(writtenOff?.covered ?? 0n),
    settlementCovered: cash(settled?.covered ?? 0n),
    reimbursed: cash(settled ? reimbursed(claim, settled) : 0n),
  }
}

interface Sale {
  readonly collateral: bigint
  readonly payment: bigint
  readonly price: bigint
}

export const shownSale = ({ collateral, payment, price }: Sale, { cash, tokens }: Shown) => ({
  collateralAmount: tokens(collateral),
  collateralAmountRaw: collateral.toString(),
  payment: cash(payment),
  paymentRaw: payment.toString(),
  price: cash(price),
  priceRaw: price.toString(),
})

/** Bodies of the right form, by operation. */
export const ratesBodies: Record<string, Record<string, unknown>> = {
  setRateMode: { rateMode: 'CLAMPED', rateFloorBps: 100, rateCapBps: 900 },
  setMaxFixedRate: { maxFixedRateBps: 900 },
  setTermConfig: { maxLoanDurationDays: 365, termGracePeriodDays: 5 },
  setReserveRatio: { reserveRatioBps: 500 },
}

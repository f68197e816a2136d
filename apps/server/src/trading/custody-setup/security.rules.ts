import type { SecurityState } from './custody-state.rules.ts'

/** A security as the settlement contract has it on record. */
export const shownSecurity = ({ admin, isin, isinRaw, isRegistered, isActive, baseDecimals }: SecurityState) => ({
  admin,
  isin,
  isinRaw,
  registered: isRegistered,
  active: isActive,
  baseUnit: baseDecimals === null ? null : (10n ** BigInt(baseDecimals)).toString(),
})

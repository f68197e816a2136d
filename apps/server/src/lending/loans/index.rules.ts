export {
  debtOf,
  feeInsidePaymentDown,
  flatFeeDown,
  healthFactorDown,
  isOpen,
  type LoanOnChain,
  previewOf,
  type RealizationTerms,
  shownHealth,
  statusOf,
  termOf,
  valueDown,
} from './loan.rules.ts'

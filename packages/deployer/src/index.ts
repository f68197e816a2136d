export { type Carrier, type ChainView, carryOut, missingSteps, readServed, readVersion } from './carry-out.ts'
export { DEPLOYMENT_PROXY } from './creation.ts'
export { implementationNames, serveStep } from './implementations.ts'
export {
  type ImplementationKind,
  type ImplementationPlan,
  implementationKinds,
  type LendingSuite,
  type Plan,
  PlanError,
  type PlannedContract,
  type ServedKind,
  type Step,
  type StockSuite,
  stockKinds,
  type TradingSuite,
} from './plan.ts'
export { type ImplementationWish, planImplementations } from './plan-implementations.ts'
export { type LendingWish, planLendingSuite } from './plan-lending-suite.ts'
export { planStockImplementations, planStockSuite, type StockWish } from './plan-stock-suite.ts'
export { planTradingSuite, type TradingWish } from './plan-trading-suite.ts'

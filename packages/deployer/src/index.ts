export { type Recognized, recognize } from './builds.ts'
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
export { type ImplementationRequest, planImplementations } from './plan-implementations.ts'
export { type LendingRequest, planLendingSuite } from './plan-lending-suite.ts'
export { planStockImplementations, planStockSuite, type StockRequest } from './plan-stock-suite.ts'
export { planTradingSuite, type TradingRequest } from './plan-trading-suite.ts'

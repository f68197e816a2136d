export { adminReads, requireAdmin } from './admin-signer.ts'
export { at, eventsAt } from './calls.ts'
export {
  type DeployedRecord,
  endpointAt,
  findDeployedMarket,
  findFactory,
  findMarket,
  findStockFactory,
  isServedAt,
  isStockSurface,
  type MarketCall,
} from './find-market.ts'
export * as marketStore from './market.store.ts'
export { projectMarkets } from './market.store.ts'
export {
  type MarketSubject,
  marketBuild,
  marketConfirmation,
  marketSubject,
  marketTargets,
  marketWrite,
  provenMarketWrite,
} from './market-write.ts'
export { eventsOf } from './receipt-events.ts'
export { optionalAddress, requireAmount, requirePositive, requirePositiveForm } from './request-fields.ts'
export { ownerBlock, roleReads, roles, signerBlock } from './signer.reads.ts'
export { simulateInOrder } from './simulate-in-order.ts'
export { readOr } from './unreadable.ts'

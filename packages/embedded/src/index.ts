export { accountsOf } from './chain/edr/accounts.ts'
export { startNodesFrom } from './chain/edr/edr-engine.ts'
export type { ChainEngine, EngineName, Restoration } from './chain/engine.ts'
export { engineCalled, engineOf } from './chain/engines.ts'
export { multicall3Address } from './chain/multicall3.ts'
export { placeFile } from './chain/place-file.ts'
export { isChainNode, stopAbandonedChains } from './chain/recovery.ts'
export { type ChainNode, type ChainOptions, startChain } from './chain/start-chain.ts'
export {
  AlreadyRunningError,
  EngineMismatchError,
  EngineMissingError,
  MissingBinaryError,
  PortInUseError,
  StartFailedError,
} from './errors.ts'
export { stopLeftBehind } from './left-behind.ts'
export { freePort, isPortFree } from './ports.ts'
export { requireUsableData } from './postgres/initialisation.ts'
export { stopIfAbandoned } from './postgres/recovery.ts'
export { type PostgresOptions, type RunningPostgres, startPostgres } from './postgres/start-postgres.ts'
export { parentPid, processCommand, residentBytes } from './process-inspection.ts'

export { type Artifact, shippedArtifact } from './chain/artifacts.ts'
export { nodeTransport, postJson } from './chain/node-transport.ts'
export { startEmptyChain, startPreparedChain } from './chain/prepared-chain.ts'
export {
  type ChainClients,
  chosenEngine,
  connectChain,
  startTestChain,
  type TestChain,
  type TestChainOptions,
} from './chain/test-chain.ts'
export { type ContractCall, type Deployment, deploy, rawTransaction, send, transact } from './chain/transactions.ts'
export { type Wallet, wallet } from './chain/wallet.ts'
export { createTestCluster, type TestCluster } from './database/test-cluster.ts'
export { connectTestCluster, type TestDatabase, type TestDatabases } from './database/test-databases.ts'
export type { TestStandby } from './database/test-standby.ts'
export { type CountingRpc, countingRpc, type RpcCounts } from './faults/counting-rpc.ts'
export { type Lag, type LaggingRpc, laggingRpc } from './faults/lagging-rpc.ts'
export { type TcpProxy, tcpProxy } from './faults/tcp-proxy.ts'
export { type IdentityIssuer, type Person, startIdentityIssuer } from './identity/identity-issuer.ts'
export {
  deployLendingSuite,
  deployStockSuite,
  deployTradingSuite,
  type SuiteRequest,
  testCarrier,
} from './lending/deploy-suite.ts'
export { deployOtherImplementation } from './lending/other-implementation.ts'
export { type SeededRandom, seededRandom } from './seeded-random.ts'
export { deployEntryPoint, type EntryPoint, entryPointAbi, type SmartAccount } from './thirdParty/entry-point.ts'
export { deploySafe, type InnerCall, type InnerOutcome, type Safe, safeAbi } from './thirdParty/safe.ts'
export { deployTrex, type Trex, trexTokenAbi } from './thirdParty/trex.ts'
export type { TrexContracts, TrexTokenDetails } from './thirdParty/trex-contracts.ts'

import {
  adoptionModuleBytecode,
  adoptionModuleLinkReferences,
  assetDataLedgerBytecode,
  borrowModuleBytecode,
  borrowModuleLinkReferences,
  configModuleBytecode,
  controlModuleBytecode,
  curatorBookBytecode,
  custodyAdapterCodeBytecode,
  extensionModuleBytecode,
  freezeAdapterCodeBytecode,
  issuanceModuleBytecode,
  issuanceModuleLinkReferences,
  lendingFactoryBytecode,
  lendingFactoryLinkReferences,
  lendingMarketBytecode,
  lendingMarketLinkReferences,
  loanModuleBytecode,
  marketAssemblyBytecode,
  poolModuleBytecode,
  refusalModuleBytecode,
  satelliteDeployerBytecode,
  satelliteDeployerLinkReferences,
  seizureModuleBytecode,
  seizureModuleLinkReferences,
  settlementModuleBytecode,
  setupModuleBytecode,
  splitModuleBytecode,
  stockTokenBytecode,
  stockTokenLinkReferences,
  tradingVaultBytecode,
  tradingVaultLinkReferences,
  vaultDrawLibBytecode,
  vaultModuleBytecode,
  venueCheckBytecode,
  viewModuleBytecode,
} from '@tallystick/abi'
import type { Linkable } from './linking.ts'

const unlinked = (bytecode: string): Linkable => ({ bytecode, references: {} })

/** By the names that link references use. */
export const libraries: Readonly<Record<string, Linkable>> = {
  AdoptionModule: { bytecode: adoptionModuleBytecode, references: adoptionModuleLinkReferences },
  AssetDataLedger: unlinked(assetDataLedgerBytecode),
  BorrowModule: { bytecode: borrowModuleBytecode, references: borrowModuleLinkReferences },
  ConfigModule: unlinked(configModuleBytecode),
  ControlModule: unlinked(controlModuleBytecode),
  CuratorBook: unlinked(curatorBookBytecode),
  CustodyAdapterCode: unlinked(custodyAdapterCodeBytecode),
  ExtensionModule: unlinked(extensionModuleBytecode),
  FreezeAdapterCode: unlinked(freezeAdapterCodeBytecode),
  IssuanceModule: { bytecode: issuanceModuleBytecode, references: issuanceModuleLinkReferences },
  LoanModule: unlinked(loanModuleBytecode),
  MarketAssembly: unlinked(marketAssemblyBytecode),
  PoolModule: unlinked(poolModuleBytecode),
  RefusalModule: unlinked(refusalModuleBytecode),
  SeizureModule: { bytecode: seizureModuleBytecode, references: seizureModuleLinkReferences },
  SettlementModule: unlinked(settlementModuleBytecode),
  SetupModule: unlinked(setupModuleBytecode),
  SplitModule: unlinked(splitModuleBytecode),
  VaultDrawLib: unlinked(vaultDrawLibBytecode),
  VaultModule: unlinked(vaultModuleBytecode),
  VenueCheck: unlinked(venueCheckBytecode),
  ViewModule: unlinked(viewModuleBytecode),
}

export const factoryCode: Linkable = { bytecode: lendingFactoryBytecode, references: lendingFactoryLinkReferences }
export const marketCode: Linkable = { bytecode: lendingMarketBytecode, references: lendingMarketLinkReferences }
export const satelliteDeployerCode: Linkable = {
  bytecode: satelliteDeployerBytecode,
  references: satelliteDeployerLinkReferences,
}
export const stockTokenCode: Linkable = { bytecode: stockTokenBytecode, references: stockTokenLinkReferences }
export const tradingVaultCode: Linkable = { bytecode: tradingVaultBytecode, references: tradingVaultLinkReferences }

import {
  adoptionModuleBytecode,
  adoptionModuleLinkReferences,
  assetDataLedgerBytecode,
  borrowModuleBytecode,
  borrowModuleLinkReferences,
  configModuleBytecode,
  curatorBookBytecode,
  extensionModuleBytecode,
  lendingFactoryBytecode,
  lendingFactoryLinkReferences,
  lendingMarketBytecode,
  lendingMarketLinkReferences,
  loanModuleBytecode,
  marketAssemblyBytecode,
  poolModuleBytecode,
  seizureModuleBytecode,
  seizureModuleLinkReferences,
  settlementModuleBytecode,
  vaultDrawLibBytecode,
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
  CuratorBook: unlinked(curatorBookBytecode),
  ExtensionModule: unlinked(extensionModuleBytecode),
  LoanModule: unlinked(loanModuleBytecode),
  MarketAssembly: unlinked(marketAssemblyBytecode),
  PoolModule: unlinked(poolModuleBytecode),
  SeizureModule: { bytecode: seizureModuleBytecode, references: seizureModuleLinkReferences },
  SettlementModule: unlinked(settlementModuleBytecode),
  VaultDrawLib: unlinked(vaultDrawLibBytecode),
  ViewModule: unlinked(viewModuleBytecode),
}

export const factoryCode: Linkable = { bytecode: lendingFactoryBytecode, references: lendingFactoryLinkReferences }
export const marketCode: Linkable = { bytecode: lendingMarketBytecode, references: lendingMarketLinkReferences }

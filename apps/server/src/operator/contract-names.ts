/** Proxies, and the names under which what they run is on record. */
export const behindProxies: Readonly<Record<string, string>> = {
  LendingFactory: 'LendingFactoryImplementation',
  IdentityRegistry: 'IdentityRegistryImplementation',
  StockFactory: 'StockFactoryImplementation',
  StockTradingVault: 'TradingVaultImplementation',
  CommodityTradingVault: 'TradingVaultImplementation',
}

/** The contract whose code stands under a name of the record. */
export const contractNamed = (recordName: string): string =>
  recordName in behindProxies ? 'ERC1967Proxy' : recordName.replace(/Implementation$/, '')

/** The factory that an implementation on record belongs to. */
export const factoryOf = (recordName: string): 'LendingFactory' | 'StockFactory' =>
  /^(StockToken|ComplianceModule)Implementation$/.test(recordName) ? 'StockFactory' : 'LendingFactory'

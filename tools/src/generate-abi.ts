import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOf, knownBuilds } from '@tallystick/deployer/builds'
import { abiLines } from './solidity/abi-lines.ts'
import { buildContracts, type NamedContract } from './solidity/build.ts'
import { renderKnownBuilds, withBuilds } from './solidity/known-builds.ts'

// Paths below contracts/. Every contract or interface named here becomes one generated file.
const productionContracts: ContractList = {
  'src/lens/BoundedReader.sol': ['BoundedReader'],
  'src/lens/interfaces/IBoundedReader.sol': ['IBoundedReader'],
  'src/identity/IdentityRegistry.sol': ['IdentityRegistry'],
  'src/demo/DemoCash.sol': ['DemoCash'],
  'src/demo/DemoCertificate.sol': ['DemoCertificate'],
  'src/demo/DemoVaultBar.sol': ['DemoVaultBar'],
  'src/demo/DemoSecurity.sol': ['DemoSecurity'],
  'src/demo/DemoIdentityRegistry.sol': ['DemoIdentityRegistry'],
  'src/demo/DemoCompliance.sol': ['DemoCompliance'],
  'src/demo/PartitionedShare.sol': ['PartitionedShare'],
  'src/lending/LendingFactory.sol': ['LendingFactory'],
  'src/lending/LendingMarket.sol': ['LendingMarket'],
  'src/lending/InterestRateModel.sol': ['InterestRateModel'],
  'src/lending/InsuranceFund.sol': ['InsuranceFund'],
  'src/lending/LiquidationRouter.sol': ['LiquidationRouter'],
  'src/lending/SecurityPriceOracle.sol': ['SecurityPriceOracle'],
  'src/lending/FreezeAdapter.sol': ['FreezeAdapter'],
  'src/lending/CustodyAdapter.sol': ['CustodyAdapter'],
  'src/lending/DutchAuctionVenue.sol': ['DutchAuctionVenue'],
  'src/lending/LendingVault.sol': ['LendingVault'],
  'src/lending/deploy/SatelliteDeployer.sol': ['SatelliteDeployer', 'CustodyAdapterCode', 'FreezeAdapterCode'],
  'src/lending/factory/AssetDataLedger.sol': ['AssetDataLedger'],
  'src/lending/factory/CuratorBook.sol': ['CuratorBook'],
  'src/lending/factory/MarketAssembly.sol': ['MarketAssembly'],
  'src/lending/factory/VenueCheck.sol': ['VenueCheck'],
  'src/lending/modules/AdoptionModule.sol': ['AdoptionModule'],
  'src/lending/modules/BorrowModule.sol': ['BorrowModule'],
  'src/lending/modules/ConfigModule.sol': ['ConfigModule'],
  'src/lending/modules/ExtensionModule.sol': ['ExtensionModule'],
  'src/lending/modules/LoanModule.sol': ['LoanModule'],
  'src/lending/modules/PoolModule.sol': ['PoolModule'],
  'src/lending/modules/SeizureModule.sol': ['SeizureModule'],
  'src/lending/modules/SettlementModule.sol': ['SettlementModule'],
  'src/lending/modules/VaultDrawLib.sol': ['VaultDrawLib'],
  'src/lending/modules/ViewModule.sol': ['ViewModule'],
  'src/stocks/ComplianceModule.sol': ['ComplianceModule'],
  'src/stocks/StockFactory.sol': ['StockFactory'],
  'src/stocks/StockToken.sol': ['StockToken'],
  'src/stocks/modules/ControlModule.sol': ['ControlModule'],
  'src/stocks/modules/IssuanceModule.sol': ['IssuanceModule'],
  'src/stocks/modules/RefusalModule.sol': ['RefusalModule'],
  'src/stocks/modules/SetupModule.sol': ['SetupModule'],
  'src/stocks/modules/SplitModule.sol': ['SplitModule'],
  'src/trading/SignedOrderSettlement.sol': ['SignedOrderSettlement'],
  'src/trading/TradingVault.sol': ['TradingVault'],
  'src/trading/modules/VaultModule.sol': ['VaultModule'],
  // Of a dependency: what the factory stands behind.
  '../node_modules/@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol': ['ERC1967Proxy'],
}

const testContracts: ContractList = {
  'test/fixtures/lending/FactoryWithoutAttestation.sol': ['FactoryWithoutAttestation'],
  'test/fixtures/lending/FactoryWithoutDeployers.sol': ['FactoryWithoutDeployers'],
  'test/fixtures/lending/FirstGenerationMarket.sol': ['FirstGenerationMarket'],
  'test/fixtures/lending/FirstGenerationVault.sol': ['FirstGenerationVault'],
  'test/fixtures/lending/FundWithoutTopUp.sol': ['FundWithoutTopUp'],
  'test/fixtures/lending/Implementations.sol': ['NextFund', 'NextModel', 'NextRouter'],
  'test/fixtures/lending/MarketWithoutSnapshot.sol': ['MarketWithoutSnapshot'],
  'test/fixtures/lending/MarketWithoutStamping.sol': ['MarketWithoutStamping'],
  'test/fixtures/lending/ModelWithoutCeiling.sol': ['ModelWithoutCeiling'],
  'test/fixtures/lending/NominatingMarket.sol': ['NominatingMarket'],
  'test/fixtures/lending/RouterWithoutRotation.sol': ['RouterWithoutRotation'],
  'test/fixtures/lending/SaltedPermitCash.sol': ['SaltedPermitCash'],
  'test/identity/support/Modules.sol': ['LimitModule'],
  'test/support/Notary.sol': ['Notary'],
  'test/support/NotaryLookalike.sol': ['NotaryLookalike'],
  'test/support/AllowListToken.sol': ['AllowListToken'],
  'test/support/Caller.sol': ['Caller'],
  'test/support/GreedyVenue.sol': ['GreedyVenue'],
  'test/support/Proxies.sol': ['PlainProxy', 'CloneFactory'],
  'test/support/ProxiedToken.sol': ['ProxiedToken'],
  'test/support/SmartWallet1271.sol': ['SmartWallet1271'],
  'test/support/lending/EarlierFactories.sol': ['UnattestingFactory', 'ForgetfulFactory'],
  'test/support/hostile/AnswersEverything.sol': ['AnswersEverything'],
  'test/support/hostile/BareTokens.sol': ['Bytes32Name', 'NoDecimals'],
  'test/support/hostile/CollateralTokens.sol': ['GatedToken'],
  'test/support/hostile/Erc165Liar.sol': ['Erc165Liar'],
  'test/support/hostile/GasBurnerEverything.sol': ['GasBurnerEverything'],
  'test/support/hostile/NotAToken.sol': ['NotAToken'],
  'test/support/hostile/Odd3643Tokens.sol': ['RegistryWithoutCode', 'SupplyReverts3643'],
  'test/support/hostile/OddTokens.sol': [
    'BadDecimals',
    'BadUtf8Name',
    'ControlCharsName',
    'GasBurnerName',
    'HugeName',
    'HugeRevert',
    'RevertingName',
  ],
  'test/support/hostile/RestrictedCash.sol': ['RestrictedCash'],
}

type ContractList = Readonly<Record<string, readonly string[]>>

type FindContract = (source: string, name: string) => NamedContract

const root = fileURLToPath(new URL('../..', import.meta.url))
const generatedFolder = join(root, 'packages/abi/src')
const knownBuildsFile = join(root, 'packages/deployer/src/known-builds.ts')
const banner = '// Generated by npm run generate from contracts/. Do not edit.\n'

/**
 * Writes packages/abi/src and adds today's builds to those that are known, or with `check` only compares. Returns what differs, as
 * lines for a person to read.
 */
export async function generateAbi({ check }: { check: boolean }): Promise<string[]> {
  const find = contractFinder(await buildContracts())
  const expected = new Map([
    ...renderFolder('', productionContracts, find),
    ...renderFolder('testing', testContracts, find),
  ])
  const present = new Map(
    listFiles(generatedFolder).map((path) => [path, readFileSync(join(generatedFolder, path), 'utf8')]),
  )
  const stray = [...present.keys()].filter((path) => !expected.has(path))
  const outdated = [...expected].filter(([path, text]) => present.get(path) !== text)
  const { table, lacked } = withBuilds(knownBuilds, currentBuilds(find), new Date().toISOString().slice(0, 10))
  if (!check) {
    if (lacked.length > 0) writeFileSync(knownBuildsFile, renderKnownBuilds(table))
    for (const path of stray) rmSync(join(generatedFolder, path))
    for (const [path, text] of outdated) writeGenerated(path, text)
  }
  return [
    ...stray.map((path) => `no longer generated: ${path}`),
    ...outdated.map(([path]) => `${present.has(path) ? 'out of date' : 'missing'}: ${path}`),
    ...lacked.map((name) => `a build that packages/deployer/src/known-builds.ts lacks: ${name}`),
  ]
}

/** Of what deployments consist of. Demo tokens are nobody's promise, and the lens is never deployed. */
function currentBuilds(find: FindContract) {
  const deployed = Object.entries(productionContracts).filter(([source]) => !/^src\/(demo|lens)\//.test(source))
  const contracts = deployed.flatMap(([source, names]) => names.map((name) => find(source, name)))
  return new Map(
    contracts.map(({ name, evm }) => [name, buildOf(`0x${evm.bytecode.object}`, evm.bytecode.linkReferences)]),
  )
}

function contractFinder(contracts: NamedContract[]): FindContract {
  const byPlace = new Map(contracts.map((contract) => [`${contract.source}:${contract.name}`, contract]))
  return (source, name) => {
    const contract = byPlace.get(`${source}:${name}`)
    if (contract === undefined) throw new Error(`contracts/${source} has no ${name}`)
    return contract
  }
}

function renderFolder(folder: string, contracts: ContractList, find: FindContract): [path: string, text: string][] {
  const files = Object.entries(contracts).flatMap(([source, names]) =>
    names.map((name): [string, string] => [`${kebabCase(name)}.ts`, renderContract(find(source, name))]),
  )
  const exports = files.map(([file]) => `export * from './${file}'\n`).sort()
  const all: [string, string][] = [...files, ['index.ts', banner + exports.join('')]]
  return all.map(([file, text]) => [join(folder, file), text])
}

function renderContract({ name, abi, evm }: NamedContract): string {
  const exportName = camelCase(name)
  const items = abiLines(abi).map((line) => `  ${line},\n`)
  let text = `${banner}\nexport const ${exportName}Abi = [\n${items.join('')}] as const\n`
  const { object, linkReferences = {} } = evm.bytecode
  // Interfaces have nothing to deploy.
  if (object !== '') text += `\nexport const ${exportName}Bytecode =\n  '0x${object}' as const\n`
  if (Object.keys(linkReferences).length > 0) {
    text += `\nexport const ${exportName}LinkReferences = ${JSON.stringify(linkReferences, placesInOrder, 2)} as const\n`
  }
  return text
}

function placesInOrder(_: string, value: { start?: number; length?: number }): unknown {
  return value.start === undefined ? value : { start: value.start, length: value.length }
}

function kebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

function camelCase(name: string): string {
  return kebabCase(name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

function writeGenerated(path: string, text: string): void {
  mkdirSync(dirname(join(generatedFolder, path)), { recursive: true })
  writeFileSync(join(generatedFolder, path), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const differences = await generateAbi({ check })
  for (const line of differences) console.log(`packages/abi/src ${line}`)
  if (check && differences.length > 0) {
    console.error('packages/abi does not match contracts/: run `npm run generate` and commit the result.')
    process.exitCode = 1
  }
}

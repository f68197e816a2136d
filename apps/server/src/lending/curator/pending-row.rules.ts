import { gateNote, noRegister, type RegisterShape } from '../registers/index.rules.ts'
import type { FactoryEntry } from './factory-entry.rules.ts'
import type { KnownMarket } from './known-markets.store.ts'
import type { TokenName } from './token-name.rules.ts'

/** What the record or, failing that, the tokens themselves say. */
export interface MarketNames {
  readonly collateral: TokenName
  readonly isin: string | null
  readonly borrow: Pick<TokenName, 'symbol' | 'decimals'>
}

export function knownNames(known: KnownMarket): MarketNames {
  return {
    collateral: {
      name: known.collateralName || null,
      symbol: known.collateralSymbol || null,
      decimals: known.collateralDecimals,
    },
    isin: known.collateralIsin,
    borrow: { symbol: known.borrowSymbol || null, decimals: known.borrowDecimals },
  }
}

/** The gate of a market whose register was asked; `undefined`: the market did not say which it has. */
export function gateOf(registry: string | null | undefined, shape: () => RegisterShape) {
  if (registry === undefined)
    return { shape: 'unreadable' as const, usable: false, note: 'The market did not say which register it has.' }
  const found = registry === null ? noRegister : shape()
  return { ...found, note: gateNote(found) }
}

/** A market without a lender of record, or with one, as the queue shows it. */
export function pendingRow(entry: FactoryEntry, names: MarketNames, gate: ReturnType<typeof gateOf>) {
  return {
    marketAddress: entry.address,
    marketDeployer: entry.deployer,
    deployedAt: entry.deployedAt.toISOString(),
    collateralTokenAddress: entry.collateralToken,
    collateralTokenName: names.collateral.name,
    collateralTokenSymbol: names.collateral.symbol,
    collateralTokenIsin: names.isin,
    collateralDecimals: names.collateral.decimals,
    collateralMode: entry.mode,
    priceSource: entry.priceSource,
    oracleAddress: entry.oracle,
    interestModelAddress: entry.rateModel,
    insuranceFundAddress: entry.insuranceFund,
    adapterAddress: entry.adapter,
    liquidationRouterAddress: entry.router,
    identityRegistryAddress: entry.borrowerRegistry ?? null,
    borrowAssetAddress: entry.borrowAsset,
    borrowAssetSymbol: names.borrow.symbol,
    borrowAssetDecimals: names.borrow.decimals,
    seekingCurator: entry.curator === null,
    curator: entry.curator,
    realizationMode: entry.realizationMode,
    liquidityCommitment: entry.liquidityCommitment.toString(),
    openToAnyCurator: entry.isOpenToAnyCurator,
    operatorShareBps: '800' as const,
    candidates: [...entry.candidates],
    factoryGeneration: 'curator' as const,
    identityGate: gate,
  }
}

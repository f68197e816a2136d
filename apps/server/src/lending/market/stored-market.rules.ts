import type { Market, MarketRecord } from '../core/index.rules.ts'

const nothing = {
  marketAddress: null,
  factoryAddress: null,
  oracleAddress: null,
  interestModelAddress: null,
  insuranceFundAddress: null,
  adapterAddress: null,
  liquidationRouterAddress: null,
  marketDeployer: null,
  deployTxHash: null,
  priceSource: null,
  collateralTokenName: null,
  collateralTokenSymbol: null,
  collateralTokenIsin: null,
  collateralDecimals: null,
  borrowAssetSymbol: null,
  borrowAssetDecimals: null,
} as const

const known = (market: Market) => ({
  marketAddress: market.address,
  factoryAddress: market.factory,
  oracleAddress: market.oracle,
  interestModelAddress: market.rateModel,
  insuranceFundAddress: market.insuranceFund,
  adapterAddress: market.adapter,
  liquidationRouterAddress: market.router,
  marketDeployer: market.deployer,
  deployTxHash: market.deployTx,
  priceSource: market.priceSource,
  collateralTokenName: market.collateralName,
  collateralTokenSymbol: market.collateralSymbol,
  collateralTokenIsin: market.collateralIsin,
  collateralDecimals: market.collateralDecimals,
  borrowAssetSymbol: market.borrowSymbol,
  borrowAssetDecimals: market.borrowDecimals,
})

/** A record as the interface shows it, without asking the chain. */
export function storedMarket(record: MarketRecord) {
  return {
    id: record.marketId,
    ...(record.market ? known(record.market) : nothing),
    collateralMode: record.mode,
    collateralTokenAddress: record.collateralToken,
    borrowAssetAddress: record.borrowAsset,
    origin: record.origin,
    active: record.archivedAt === null,
    createdAt: record.createdAt.toISOString(),
  }
}

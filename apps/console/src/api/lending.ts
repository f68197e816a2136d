import type {
  Address,
  ListAuctions,
  ListLiquidatableLoans,
  ListMarkets,
  ListOpenLoans,
  ListPendingLiquidations,
  ListPositions,
} from '@tallystick/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { tally } from './client.ts'

const { lending } = tally

export type Market = ListMarkets['data']['markets'][number]
export type ReadMarket = Extract<NonNullable<Market['onChain']>, { isOnChain: true }>
export type Position = ListPositions['data']['positions'][number]
export type OpenLoan = ListOpenLoans['data']['loans'][number]
export type OpenLoans = Pick<ListOpenLoans['data'], 'loans' | 'total' | 'unreadMarkets'>
export type Seizable = ListLiquidatableLoans['data']['liquidatableLoans'][number]
export type Auction = ListAuctions['data']['auctions'][number]
export type Pending = ListPendingLiquidations['data']['pendingLiquidations'][number]

/** What the chain says, if it could be read. */
export const readOf = ({ onChain }: Market): ReadMarket | undefined => (onChain?.isOnChain ? onChain : undefined)

/** How often figures of the chain are asked for again. */
const FRESH_MS = 10_000
const fresh = { refetchInterval: FRESH_MS } as const

export const useMarkets = () =>
  useQuery({ queryKey: ['markets'], queryFn: () => lending.listMarkets({ query: { includeOnChain: true } }), ...fresh })

export function useMarket(marketId: string) {
  const markets = useMarkets()
  return {
    ...markets,
    market: markets.data?.data.markets.find(({ id }) => id === marketId),
    metadata: markets.data?.metadata,
  }
}

const positionsOf = (marketId: string) => ({
  queryKey: ['positions', marketId],
  queryFn: () => lending.listPositions({ params: { marketId }, query: { limit: 200 } }),
  ...fresh,
})

export const usePositions = (marketId: string) => useQuery(positionsOf(marketId))

/** As many as the service looks at: pages of it are one list here. */
async function openLoans(cursor?: string): Promise<OpenLoans> {
  const { data } = await lending.listOpenLoans({ query: { limit: '200', ...(cursor ? { cursor } : {}) } })
  const rest = data.nextCursor === null ? [] : (await openLoans(data.nextCursor)).loans
  return { loans: [...data.loans, ...rest], total: data.total, unreadMarkets: data.unreadMarkets }
}

/** Of all markets, lowest health first. */
export const useOpenLoans = () => useQuery({ queryKey: ['open-loans'], queryFn: () => openLoans(), ...fresh })

/** One question per market; what one market cannot answer does not hide the others. */
function useEach<Answer>(
  key: string,
  markets: readonly Market[],
  ask: (market: Market) => Promise<Answer>,
  everyMs = FRESH_MS,
) {
  return useQueries({
    queries: markets.map((market) => ({
      queryKey: [key, market.id],
      queryFn: () => ask(market),
      refetchInterval: everyMs,
    })),
  }).map((query, at) => ({ query, market: markets[at] as Market }))
}

const deployed = (markets: readonly Market[]) => markets.filter(({ marketAddress }) => marketAddress !== null)

export const useSeizable = (markets: readonly Market[]) =>
  useEach('seizable', deployed(markets), ({ id }) => lending.listLiquidatableLoans({ params: { marketId: id } }))
export const useAuctions = (markets: readonly Market[]) =>
  useEach('auctions', deployed(markets), ({ id }) => lending.listAuctions({ params: { marketId: id } }), 3_000)
export const usePending = (markets: readonly Market[]) =>
  useEach('pending', deployed(markets), ({ id }) => lending.listPendingLiquidations({ params: { marketId: id } }))
export const useInsurance = (markets: readonly Market[]) =>
  useEach('insurance', deployed(markets), ({ id }) => lending.getInsuranceStatus({ params: { marketId: id } }), 60_000)
export const useLiquidationConfigs = (markets: readonly Market[]) =>
  useEach('liquidation-config', deployed(markets), ({ id }) =>
    lending.getLiquidationConfig({ params: { marketId: id } }),
  )
/** What markets hold for one wallet. Collateral is in escrow only where it was in custody. */
export function useEscrows(markets: readonly Market[], holder: Address | undefined) {
  const asked = holder ? deployed(markets) : []
  const custody = asked.filter(({ collateralMode }) => collateralMode === 'CUSTODY')
  const collateral = useEach(`escrow ${holder}`, custody, ({ id }) =>
    lending.getEscrowedCollateral({ params: { marketId: id, holder: holder as Address } }),
  )
  const surplus = useEach(`surplus ${holder}`, asked, ({ id }) =>
    lending.getEscrowedSurplus({ params: { marketId: id, holder: holder as Address } }),
  )
  return surplus.map(({ market, query }) => ({
    market,
    surplus: query.data?.data.escrowed,
    collateral: collateral.find((one) => one.market.id === market.id)?.query.data?.data.escrowedCollateral,
  }))
}
export const useAssetDataOf = (market: Address) =>
  useQuery({
    queryKey: ['asset-data-of', market],
    queryFn: () => lending.getAssetData({ params: { market } }),
    ...fresh,
  })
export const useAssetData = (markets: readonly Market[]) =>
  useEach(
    'asset-data',
    deployed(markets),
    ({ marketAddress }) => lending.getAssetData({ params: { market: marketAddress as Address } }),
    60_000,
  )

export const useLoan = (marketId: string, loanId: string) =>
  useQuery({
    queryKey: ['loan', marketId, loanId],
    queryFn: () => lending.getLoan({ params: { marketId, loanId } }),
    ...fresh,
  })
export const useExtensions = (marketId: string) =>
  useQuery({ queryKey: ['extensions', marketId], queryFn: () => lending.listExtensions({ params: { marketId } }) })
export const useRateMode = (marketId: string) =>
  useQuery({ queryKey: ['rate-mode', marketId], queryFn: () => lending.getRateMode({ params: { marketId } }) })
export const usePriceHistory = (marketId: string) =>
  useQuery({ queryKey: ['price-history', marketId], queryFn: () => lending.getPriceHistory({ params: { marketId } }) })
export const useHistory = (marketId: string) =>
  useQuery({
    queryKey: ['history', marketId],
    queryFn: () => lending.getHistory({ params: { marketId }, query: { range: '30d', resolution: 'hour' } }),
  })
export const useSetup = (marketId: string) =>
  useQuery({ queryKey: ['setup', marketId], queryFn: () => lending.getSetupSteps({ params: { marketId } }) })
export const useAuctionModule = (marketId: string) =>
  useQuery({
    queryKey: ['auction-module', marketId],
    queryFn: () => lending.getAuctionModule({ params: { marketId } }),
  })
export const useMetrics = (marketId: string) =>
  useQuery({ queryKey: ['metrics', marketId], queryFn: () => lending.getMetrics({ params: { marketId } }), ...fresh })
export const useFeeSplit = (marketId: string) =>
  useQuery({ queryKey: ['fee-split', marketId], queryFn: () => lending.getFeeSplit({ params: { marketId } }) })
export const useUpgrades = (marketId: string) =>
  useQuery({ queryKey: ['upgrades', marketId], queryFn: () => lending.getUpgradeStatus({ params: { marketId } }) })
export const useOracle = (marketId: string) =>
  useQuery({
    queryKey: ['oracle', marketId],
    queryFn: () => lending.getOracleStatus({ params: { marketId } }),
    ...fresh,
  })
export const useVaults = () => useQuery({ queryKey: ['vaults'], queryFn: () => lending.listVaults({}), ...fresh })
export const useVault = (vaultAddress: Address, address: Address | undefined) =>
  useQuery({
    queryKey: ['vault', vaultAddress, address],
    queryFn: () => lending.getVault({ params: { vaultAddress }, ...(address ? { query: { address } } : {}) }),
    ...fresh,
  })
export const useVaultHistory = (vaultAddress: Address) =>
  useQuery({
    queryKey: ['vault-history', vaultAddress],
    queryFn: () => lending.listVaultHistory({ params: { vaultAddress }, query: { limit: '200' } }),
    refetchInterval: 60_000,
  })

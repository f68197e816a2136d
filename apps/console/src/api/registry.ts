import type { Address, ListHolders, ListImports, ListInvestors, ListStocks } from '@tallystick/sdk'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { tally } from './client.ts'

const { stocks, identity, tokens } = tally

export type Stock = ListStocks['data'][number]
export type Holder = ListHolders['data']['holders'][number]
export type Investor = ListInvestors['data']['investors'][number]
export type Import = ListImports['data'][number]

/** Of which moment a list of holders is; without both: now. */
export interface Moment {
  readonly block?: string | undefined
  readonly at?: string | undefined
}

export const useStocks = () => useQuery({ queryKey: ['stocks'], queryFn: () => stocks.listStocks({}) })
export const useStock = (tokenAddress: Address) =>
  useQuery({
    queryKey: ['stock', tokenAddress],
    queryFn: () => stocks.getStock({ params: { tokenAddress } }),
    refetchInterval: 10_000,
  })

const HOLDERS_PER_PAGE = 500

const holdersPage = (tokenAddress: Address, { block, at }: Moment, offset: number) =>
  stocks.listHolders({
    params: { tokenAddress },
    query: { limit: String(HOLDERS_PER_PAGE), offset: String(offset), ...(block ? { block } : at ? { at } : {}) },
  })

/** Page after page of one block: whoever moves shares meanwhile is not seen twice. */
export const useHolders = (tokenAddress: Address, moment: Moment) =>
  useInfiniteQuery({
    queryKey: ['holders', tokenAddress, moment.block, moment.at],
    initialPageParam: { ...moment, offset: 0 },
    queryFn: ({ pageParam: { offset, ...asked } }) => holdersPage(tokenAddress, asked, offset),
    getNextPageParam: ({ data: { offset, holders, total, block } }) =>
      offset + holders.length < total ? { block, at: undefined, offset: offset + holders.length } : undefined,
  })

export const useStockHistory = (tokenAddress: Address) =>
  useInfiniteQuery({
    queryKey: ['stock-history', tokenAddress],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      stocks.listStockTransactions({
        params: { tokenAddress },
        query: { limit: '100', ...(pageParam ? { cursor: pageParam } : {}) },
      }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  })

const APPOINTMENTS = ['sub-issuer-add', 'controller-add'] as const
/** So many appointed accounts are asked about. */
const MOST_ACCOUNTS = 50

/** Who was ever appointed: the token itself keeps no list. */
export function useAppointed(tokenAddress: Address) {
  const queries = useQueries({
    queries: APPOINTMENTS.map((type) => ({
      queryKey: ['stock-history', tokenAddress, type],
      queryFn: () => stocks.listStockTransactions({ params: { tokenAddress }, query: { limit: '200', type } }),
    })),
  })
  return [...new Set(queries.flatMap(({ data }) => data?.data.flatMap(({ to }) => to ?? []) ?? []))]
}

export function useRoles(tokenAddress: Address, accounts: readonly Address[]) {
  return useQueries({
    queries: accounts.slice(0, MOST_ACCOUNTS).map((account) => ({
      queryKey: ['stock-role', tokenAddress, account],
      queryFn: () => stocks.checkRole({ params: { tokenAddress, account } }),
    })),
  })
}

export const useExposure = (query: { walletAddress?: Address; tokenAddress?: Address }, enabled = true) =>
  useQuery({
    queryKey: ['exposure', query.walletAddress, query.tokenAddress],
    queryFn: () => identity.getExposure({ query }),
    enabled,
  })

export const useInvestors = (q: string, expiresWithinDays: string) =>
  useInfiniteQuery({
    queryKey: ['investors', q, expiresWithinDays],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      identity.listInvestors({
        query: {
          limit: '100',
          ...(q.length >= 2 ? { q } : {}),
          ...(expiresWithinDays ? { expiresWithinDays } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
      }),
    getNextPageParam: ({ data }) => data.nextCursor ?? undefined,
  })

const onRegistry = (registryAddress: Address | undefined) => (registryAddress ? { query: { registryAddress } } : {})

export const useIdentity = (walletAddress: Address, registryAddress?: Address) =>
  useQuery({
    queryKey: ['identity', walletAddress, registryAddress],
    queryFn: () => identity.getIdentityStatus({ params: { walletAddress }, ...onRegistry(registryAddress) }),
  })
export const useProofs = (walletAddress: Address, registryAddress?: Address) =>
  useQuery({
    queryKey: ['proofs', walletAddress, registryAddress],
    queryFn: () => identity.listProofs({ params: { walletAddress }, ...onRegistry(registryAddress) }),
  })
export const useImports = () => useQuery({ queryKey: ['imports'], queryFn: () => tokens.listImports({}) })
export const useImport = (tokenAddress: Address) =>
  useQuery({ queryKey: ['import', tokenAddress], queryFn: () => tokens.getImport({ params: { tokenAddress } }) })

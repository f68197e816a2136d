import type { ListInbox } from '@tallystick/sdk'
import { useQuery } from '@tanstack/react-query'
import { tally } from './client.ts'

export type Need = ListInbox['data']['needs'][number]

export const useInbox = () =>
  useQuery({
    queryKey: ['transactions', 'inbox'],
    queryFn: () => tally.access.listInbox({ query: { limit: '50' } }),
    refetchInterval: 15_000,
  })

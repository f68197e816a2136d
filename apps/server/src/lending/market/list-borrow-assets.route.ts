import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadMarkets } from './read-markets.service.ts'

export const listBorrowAssetsRoute = (markets: ReadMarkets) =>
  route(lendingOperations.listBorrowAssets, async ({ tenant }) => ({ data: await markets.borrowAssets(tenant) }))

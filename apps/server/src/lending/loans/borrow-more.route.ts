import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { BorrowMore } from './borrow-more.service.ts'

export const borrowMoreRoute = (borrowMore: BorrowMore) =>
  route(lendingOperations.borrowMore, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? borrowMore.build(call, marketId, body)
      : borrowMore.confirm(call, marketId, { ...body, txHash })
  })

import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OperatorWallet } from './operator-wallet.service.ts'

export const setOperatorWalletRoute = (wallet: OperatorWallet) =>
  route(lendingOperations.setOperatorWallet, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? wallet.build(call, params.marketId, body)
      : wallet.confirm(call, params.marketId, { ...body, txHash })
  })

import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const registerWalletRoute = ({ wallets }: AccessService) =>
  administrativeRoute(accessOperations.registerWallet, ({ tenant, caller, body }) =>
    wallets.register(tenant, caller.instance, body),
  )

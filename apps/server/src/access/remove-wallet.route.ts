import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const removeWalletRoute = ({ wallets }: AccessService) =>
  administrativeRoute(accessOperations.removeWallet, ({ tenant, params }) => wallets.remove(tenant, params.address))

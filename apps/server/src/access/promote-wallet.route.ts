import { accessOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const promoteWalletRoute = ({ wallets }: AccessService) =>
  administrativeRoute(accessOperations.promoteWallet, ({ tenant, params }) => wallets.promote(tenant, params.address))

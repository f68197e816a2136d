import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const promoteWalletRoute = ({ wallets }: AccessService) =>
  route(accessOperations.promoteWallet, async ({ tenant, params }) => ({
    data: await wallets.promote(tenant, params.address),
  }))

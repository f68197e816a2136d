import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const registerWalletRoute = ({ wallets }: AccessService) =>
  route(accessOperations.registerWallet, async ({ tenant, caller, body }) => ({
    data: await wallets.register(tenant, caller.instance, body),
  }))

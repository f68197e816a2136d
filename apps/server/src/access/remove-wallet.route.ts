import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { AccessService } from './access.service.ts'

export const removeWalletRoute = ({ wallets }: AccessService) =>
  route(accessOperations.removeWallet, async ({ tenant, params }) => {
    await wallets.remove(tenant, params.address)
    return { data: { removed: true } as const }
  })

import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const challengeWalletRoute = ({ wallets }: AccessService) =>
  route(accessOperations.challengeWallet, async ({ tenant, caller, body }) => ({
    data: await wallets.challenge(tenant, caller.instance, body.address),
  }))

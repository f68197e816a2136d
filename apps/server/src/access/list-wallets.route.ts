import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listWalletsRoute = ({ wallets }: AccessService) =>
  route(accessOperations.listWallets, async ({ tenant }) => ({ data: await wallets.list(tenant) }))

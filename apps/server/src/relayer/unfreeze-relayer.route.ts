import { relayerOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { RelayerService } from './relayer.service.ts'

export const unfreezeRelayerRoute = (relayer: RelayerService) =>
  route(relayerOperations.unfreezeRelayer, async ({ tenant }) => ({ data: await relayer.freeze(tenant, false) }))

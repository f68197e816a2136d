import { relayerOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { RelayerService } from './relayer.service.ts'

export const setRelayerLimitsRoute = (relayer: RelayerService) =>
  route(relayerOperations.setRelayerLimits, async ({ tenant, body }) => ({
    data: await relayer.setLimits(tenant, body),
  }))

import { relayerOperations } from '@tallystick/wire'
import { route } from '../platform/http/mount.ts'
import type { RelayerService } from './relayer.service.ts'

export const freezeRelayerRoute = (relayer: RelayerService) =>
  route(relayerOperations.freezeRelayer, async ({ tenant }) => ({ data: await relayer.freeze(tenant, true) }))

import { relayerOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { RelayerService } from './relayer.service.ts'

export const unfreezeRelayerRoute = (relayer: RelayerService) =>
  administrativeRoute(relayerOperations.unfreezeRelayer, ({ tenant }) => relayer.freeze(tenant, false))

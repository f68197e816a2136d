import { relayerOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { RelayerService } from './relayer.service.ts'

export const setRelayerLimitsRoute = (relayer: RelayerService) =>
  administrativeRoute(relayerOperations.setRelayerLimits, ({ tenant, body }) => relayer.setLimits(tenant, body))

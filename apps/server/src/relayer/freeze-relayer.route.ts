import { relayerOperations } from '@tallystick/wire'
import { administrativeRoute } from '../platform/http/route.ts'
import type { RelayerService } from './relayer.service.ts'

export const freezeRelayerRoute = (relayer: RelayerService) =>
  administrativeRoute(relayerOperations.freezeRelayer, ({ tenant }) => relayer.freeze(tenant, true))

import { relayerOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { RelayerService } from './relayer.service.ts'

export const getRelayerRoute = (relayer: RelayerService) =>
  route(relayerOperations.getRelayer, async ({ tenant }) => ({ data: await relayer.status(tenant) }))

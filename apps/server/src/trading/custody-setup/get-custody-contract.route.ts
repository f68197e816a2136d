import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Securities } from './securities.service.ts'

export const getCustodyContractRoute = (service: Securities) =>
  route(tradingOperations.getCustodyContract, async ({ tenant, caller }) => ({
    data: await service.custodyContract(tenant, caller),
  }))

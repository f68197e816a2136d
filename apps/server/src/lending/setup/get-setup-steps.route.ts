import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Setup } from './setup.service.ts'

export const getSetupStepsRoute = (setup: Setup) =>
  route(lendingOperations.getSetupSteps, ({ tenant, mountedAt, params }) =>
    setup.steps({ tenant, mountedAt }, params.marketId),
  )

import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetExposure } from './exposure.service.ts'

export const getExposureRoute = (getExposure: GetExposure) =>
  route(identityOperations.getExposure, ({ tenant, caller, query }) =>
    getExposure({ tenant, instance: caller.instance }, query),
  )

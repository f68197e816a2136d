import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DeploymentOptions } from './deployment-options.service.ts'

export const getDeploymentOptionsRoute = (options: DeploymentOptions) =>
  route(lendingOperations.getDeploymentOptions, ({ tenant, caller }) => options.get(tenant, caller.instance))

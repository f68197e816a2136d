import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListRegistries } from './list-registries.service.ts'

export const listRegistriesRoute = (listRegistries: ListRegistries) =>
  route(identityOperations.listRegistries, ({ tenant, caller }) =>
    listRegistries({ tenant, instance: caller.instance }),
  )

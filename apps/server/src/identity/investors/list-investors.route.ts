import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListInvestors } from './investors.service.ts'

export const listInvestorsRoute = (listInvestors: ListInvestors) =>
  route(identityOperations.listInvestors, ({ tenant, caller, query }) =>
    listInvestors({ tenant, instance: caller.instance }, query),
  )

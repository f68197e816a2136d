import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadVaults } from './read-vaults.service.ts'

export const listVaultsRoute = (vaults: ReadVaults) =>
  route(lendingOperations.listVaults, ({ tenant, caller }) => vaults.list(tenant, caller.instance))

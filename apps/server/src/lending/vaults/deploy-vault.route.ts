import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DeployVault } from './deploy-vault.service.ts'

export const deployVaultRoute = (deploy: DeployVault) =>
  route(lendingOperations.deployVault, ({ tenant, caller, mountedAt, body }) => {
    const request = { tenant, instance: caller.instance, mountedAt }
    const { txHash } = body
    return txHash === undefined ? deploy.build(request, body) : deploy.confirm(request, txHash)
  })

import type { LegBodyOf, stocksOperations } from '@tallystick/wire'
import type { Hex } from 'viem'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import type { StocksParts } from '../parts.ts'
import { refuseRelayer } from '../request-fields.ts'
import { createBuildDeployment } from './build-deployment.service.ts'
import { createConfirmDeployment } from './confirm-deployment.service.ts'

type ConfirmBody = LegBodyOf<typeof stocksOperations.deployStock, 'confirm'>

/** From terms to a token on record. */
export function createDeployStock(parts: StocksParts) {
  const { confirm, log } = createConfirmDeployment(parts)
  return {
    log,
    build: createBuildDeployment(parts),
    async confirm(tenant: TenantDatabase, instance: Instance, body: ConfirmBody) {
      refuseRelayer(body)
      return confirm(tenant, instance, body, body.txHash as Hex)
    },
  }
}

export type DeployStock = ReturnType<typeof createDeployStock>

import type { Hex } from 'viem'
import type { StocksParts } from '../parts.ts'
import { refuseBoth } from '../writes/write.service.ts'
import { createBuildDeployment, type DeployRequest } from './build-deployment.service.ts'
import { createConfirmDeployment } from './confirm-deployment.service.ts'
import type { DeployBody } from './deploy-fields.ts'

/** From terms to a token on record. */
export function createDeployStock(parts: StocksParts) {
  const build = createBuildDeployment(parts)
  const { confirm, log } = createConfirmDeployment(parts)
  return {
    log,
    async perform(request: DeployRequest, body: DeployBody) {
      refuseBoth(body)
      const { txHash } = body
      return txHash === undefined
        ? build(request, body)
        : confirm(request.tenant, request.instance, body, txHash as Hex)
    },
  }
}

export type DeployStock = ReturnType<typeof createDeployStock>

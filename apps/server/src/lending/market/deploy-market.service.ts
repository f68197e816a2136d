import type { LendingParts } from '../parts.ts'
import { createBuildDeployment } from './build-deployment.service.ts'
import { createConfirmDeployment } from './confirm-deployment.service.ts'

/** From an imported token to a market record: one transaction that the deployer signs, then its proof. */
export function createDeployMarket(parts: LendingParts) {
  return { build: createBuildDeployment(parts), confirm: createConfirmDeployment(parts) }
}

export type DeployMarket = ReturnType<typeof createDeployMarket>

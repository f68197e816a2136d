import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { createArchive } from './archive.service.ts'
import { archiveMarketRoute } from './archive-market.route.ts'
import { createConfig } from './config.service.ts'
import { createConfigure } from './configure.service.ts'
import { configureMarketRoute } from './configure-market.route.ts'
import { confirmConfigurationRoute } from './confirm-configuration.route.ts'
import { createConfirmConfiguration } from './confirm-configuration.service.ts'
import { getConfigRoute } from './get-config.route.ts'
import { getConfigurationStatusRoute } from './get-configuration-status.route.ts'
import { getSetupStepsRoute } from './get-setup-steps.route.ts'
import { pauseMarket } from './pause-market.write.ts'
import { setConfig } from './set-config.write.ts'
import { createSetup } from './setup.service.ts'
import { createSetupView } from './setup-view.service.ts'
import { unpauseMarket } from './unpause-market.write.ts'

export { callFor } from './configure.call.ts'
export { firstGuess, settled } from './setup-view.service.ts'
export { registryNow, tokenSide, tokenSideReads } from './token-side.reads.ts'

export const setupRoutes = (parts: LendingParts): Route[] => {
  const view = createSetupView(parts)
  const setup = createSetup(view)
  return [
    getSetupStepsRoute(setup),
    getConfigurationStatusRoute(setup),
    configureMarketRoute(createConfigure(parts, view)),
    confirmConfigurationRoute(createConfirmConfiguration(parts, view)),
    getConfigRoute(createConfig(parts)),
    ...[setConfig, pauseMarket, unpauseMarket].map((write) => write(parts)),
    archiveMarketRoute(createArchive(parts)),
  ]
}

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
import { createPause } from './pause.service.ts'
import { pauseMarketRoute } from './pause-market.route.ts'
import { setConfigRoute } from './set-config.route.ts'
import { createSetup } from './setup.service.ts'
import { createSetupView } from './setup-view.service.ts'
import { unpauseMarketRoute } from './unpause-market.route.ts'

export const setupRoutes = (parts: LendingParts): Route[] => {
  const view = createSetupView(parts)
  const setup = createSetup(view)
  const config = createConfig(parts)
  const pause = createPause(parts)
  return [
    getSetupStepsRoute(setup),
    getConfigurationStatusRoute(setup),
    configureMarketRoute(createConfigure(parts, view)),
    confirmConfigurationRoute(createConfirmConfiguration(parts, view)),
    getConfigRoute(config),
    setConfigRoute(config),
    pauseMarketRoute(pause),
    unpauseMarketRoute(pause),
    archiveMarketRoute(createArchive(parts)),
  ]
}

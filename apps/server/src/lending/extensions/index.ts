import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { actOnExtensionRoute } from './act-on-extension.route.ts'
import { createActOnExtension } from './act-on-extension.service.ts'
import { createAllowExtension } from './allow-extension.service.ts'
import { confirmExtensionTransactionRoute } from './confirm-extension-transaction.route.ts'
import { createConfirmExtensionTransaction } from './confirm-extension-transaction.service.ts'
import { listExtensionsRoute } from './list-extensions.route.ts'
import { createListExtensions } from './list-extensions.service.ts'
import { proposeExtensionRoute } from './propose-extension.route.ts'
import { createProposeExtension } from './propose-extension.service.ts'
import { setAllowExtensionRoute } from './set-allow-extension.route.ts'

export const extensionsRoutes = (parts: LendingParts): Route[] => [
  proposeExtensionRoute(createProposeExtension(parts)),
  confirmExtensionTransactionRoute(createConfirmExtensionTransaction(parts)),
  listExtensionsRoute(createListExtensions(parts)),
  actOnExtensionRoute(createActOnExtension(parts)),
  setAllowExtensionRoute(createAllowExtension(parts)),
]

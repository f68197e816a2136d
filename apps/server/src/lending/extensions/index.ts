import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { actOnExtensionRoute } from './act-on-extension.route.ts'
import { createActOnExtension } from './act-on-extension.service.ts'
import { confirmExtensionTransactionRoute } from './confirm-extension-transaction.route.ts'
import { createConfirmExtensionTransaction } from './confirm-extension-transaction.service.ts'
import { listExtensionsRoute } from './list-extensions.route.ts'
import { createListExtensions } from './list-extensions.service.ts'
import { proposeExtensionRoute } from './propose-extension.route.ts'
import { createProposeExtension } from './propose-extension.service.ts'
import { setAllowExtension } from './set-allow-extension.write.ts'

export const extensionsRoutes = (parts: LendingParts): Route[] => [
  proposeExtensionRoute(createProposeExtension(parts)),
  confirmExtensionTransactionRoute(createConfirmExtensionTransaction(parts)),
  listExtensionsRoute(createListExtensions(parts)),
  actOnExtensionRoute(createActOnExtension(parts)),
  setAllowExtension(parts),
]

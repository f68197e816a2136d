import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { actOnExtension } from './act-on-extension.write.ts'
import { confirmExtensionTransactionRoute } from './confirm-extension-transaction.route.ts'
import { createConfirmExtensionTransaction } from './confirm-extension-transaction.service.ts'
import { listExtensionsRoute } from './list-extensions.route.ts'
import { createListExtensions } from './list-extensions.service.ts'
import { proposeExtension } from './propose-extension.write.ts'
import { setAllowExtension } from './set-allow-extension.write.ts'

export const extensionsRoutes = (parts: LendingParts): Route[] => [
  proposeExtension(parts),
  confirmExtensionTransactionRoute(createConfirmExtensionTransaction(parts)),
  listExtensionsRoute(createListExtensions(parts)),
  actOnExtension(parts),
  setAllowExtension(parts),
]

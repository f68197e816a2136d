import { accessOperations } from '@tallystick/wire'
import { route } from '../platform/http/route.ts'
import type { AccessService } from './access.service.ts'

export const listAuditRoute = ({ audit }: AccessService) =>
  route(accessOperations.listAudit, async ({ tenant, query }) => ({ data: await audit(tenant, query) }))

import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const removeBookImportRoute = (service: ClassBooksService) =>
  route(tradingOperations.removeBookImport, async ({ tenant, mountedAt, params }) => ({
    data: await service.removeImport(tenant, mountedAt, params.importId),
  }))

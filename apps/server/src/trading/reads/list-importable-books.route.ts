import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listImportableBooksRoute = (service: ClassBooksService) =>
  route(tradingOperations.listImportableBooks, async ({ tenant, mountedAt }) => ({
    data: await service.importable(tenant, mountedAt),
  }))

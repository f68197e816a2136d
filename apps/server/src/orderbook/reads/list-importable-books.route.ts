import { orderbookOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listImportableBooksRoute = (service: ClassBooksService) =>
  route(orderbookOperations.listImportableBooks, async ({ tenant, mountedAt }) => ({
    data: await service.importable(tenant, mountedAt),
  }))

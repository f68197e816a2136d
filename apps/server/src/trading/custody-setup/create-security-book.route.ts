import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BookCreation } from './create-books.service.ts'

export const createSecurityBookRoute = (service: BookCreation) =>
  route(tradingOperations.createSecurityBook, async ({ tenant, caller, body }) => ({
    data: await service.createSecurity(tenant, caller, body),
  }))

import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { PageRequest } from '../../platform/page.ts'
import { classOf } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import type { PriceReferenceService } from './price-reference.service.ts'

/** Reference prices on the three classes: `mountedAt` says which of them was asked. */
export function createClassReferencesService(parts: {
  readonly books: BooksService
  readonly references: PriceReferenceService
}) {
  const { books, references } = parts
  const required = (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
    books.require(tenant, bookId, classOf(mountedAt))

  return {
    get: async (tenant: TenantDatabase, mountedAt: string, bookId: string) =>
      references.get(await required(tenant, mountedAt, bookId)),
    set: async (tenant: TenantDatabase, caller: Caller, mountedAt: string, bookId: string, price: string) =>
      references.set(tenant, caller, await required(tenant, mountedAt, bookId), price),
    history: async (tenant: TenantDatabase, mountedAt: string, bookId: string, page: PageRequest) =>
      references.history(tenant, await required(tenant, mountedAt, bookId), page),
  }
}

export type ClassReferencesService = ReturnType<typeof createClassReferencesService>

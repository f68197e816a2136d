import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { type PageRequest, pageOf } from '../../platform/page.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradingParts } from '../parts.ts'
import { customerHolder, customerOf } from '../unit/index.rules.ts'
import * as store from './accounts.store.ts'

interface Holder {
  readonly userAddress?: string | undefined
  readonly customerRef?: string | undefined
}

interface Settings {
  readonly name?: string | null
  readonly isMarketMaker?: boolean
  readonly canQuote?: boolean
  readonly permittedOrderBookIds?: string[] | null
}

const holderOf = ({ userAddress, customerRef }: Holder): string | null => {
  if (userAddress !== undefined) return requireAddressField('userAddress', userAddress)
  return customerRef === undefined ? null : customerHolder(customerRef)
}

function asAccount(row: store.AccountRow) {
  const customerRef = customerOf(row.holder)
  return {
    accountId: row.accountId,
    userAddress: customerRef === null ? row.holder : null,
    customerRef,
    name: row.name,
    isMarketMaker: row.isMarketMaker,
    canQuote: row.canQuote,
    permittedOrderBookIds: row.permittedBooks,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function createAccountsService({ clock, random, units }: TradingParts) {
  return {
    async create(tenant: TenantDatabase, request: Holder & Settings) {
      const holder = holderOf(request)
      if (holder === null || (request.userAddress !== undefined && request.customerRef !== undefined))
        throw fieldError('VALIDATION_ERROR', [
          { field: 'userAddress', message: 'or customerRef is required, and not both' },
        ])
      const account = {
        accountId: newId(clock, random),
        holder,
        name: request.name ?? null,
        isMarketMaker: request.isMarketMaker ?? false,
        canQuote: request.canQuote ?? false,
        permittedBooks: request.permittedOrderBookIds ?? null,
      }
      return tenant.transaction(async (sql) => {
        await units.enterLane(sql, tenant.instanceId)
        const [made] = await store.insertAccount(sql, tenant.instanceId, account, clock.now())
        if (made) return asAccount(made)
        const [existing] = await store.findByHolder(sql, tenant.instanceId, holder)
        throw new AppError('ACCOUNT_EXISTS', { extra: { accountId: existing?.accountId ?? '' } })
      })
    },

    async list(tenant: TenantDatabase, query: Holder & PageRequest) {
      const [page, holder] = [pageOf(query, PAGE), holderOf(query)]
      const [rows, [counted]] = await Promise.all([
        tenant.read((sql) => store.listAccounts(sql, tenant.instanceId, holder, page)),
        tenant.read((sql) => store.countAccounts(sql, tenant.instanceId, holder)),
      ])
      return { accounts: rows.map(asAccount), total: counted?.total ?? 0, ...page }
    },

    async get(tenant: TenantDatabase, accountId: string) {
      const [row] = isUuid(accountId)
        ? await tenant.read((sql) => store.readAccount(sql, tenant.instanceId, accountId))
        : []
      if (!row) throw new AppError('ACCOUNT_NOT_FOUND')
      return asAccount(row)
    },

    async update(
      tenant: TenantDatabase,
      accountId: string,
      request: Settings & { readonly status?: 'ACTIVE' | 'SUSPENDED' },
    ) {
      return tenant.transaction(async (sql) => {
        await units.enterLane(sql, tenant.instanceId)
        const [before] = isUuid(accountId) ? await store.lockAccount(sql, tenant.instanceId, accountId) : []
        if (!before) throw new AppError('ACCOUNT_NOT_FOUND')
        const { permittedOrderBookIds: permitted } = request
        const account = {
          accountId,
          name: request.name === undefined ? before.name : request.name,
          isMarketMaker: request.isMarketMaker ?? before.isMarketMaker,
          canQuote: request.canQuote ?? before.canQuote,
          permittedBooks: permitted === undefined ? before.permittedBooks : permitted,
          status: request.status ?? before.status,
        }
        const [changed] = await store.changeAccount(sql, tenant.instanceId, account, clock.now())
        if (!changed) throw new AppError('ACCOUNT_NOT_FOUND')
        return asAccount(changed)
      })
    },
  }
}

export type AccountsService = ReturnType<typeof createAccountsService>

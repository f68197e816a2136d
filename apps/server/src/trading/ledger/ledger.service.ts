import { AppError, fieldError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { Sql, TenantDatabase } from '../../platform/db/database.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import { countOf, type PageRequest, pageOf } from '../../platform/page.ts'
import { openAccount } from '../accounts/index.ts'
import { asDecimal } from '../books/index.rules.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradingParts } from '../parts.ts'
import { customerHolder, customerOf } from '../unit/index.rules.ts'
import * as store from './ledger.store.ts'

const FEES = 'fees'
const EXTERNAL = 'external'

export interface Movement {
  readonly customerRef: string
  readonly tokenAddress: string
  readonly amount: string
  readonly reference?: string
}

interface LedgerQuery {
  readonly customerRef?: string | undefined
  readonly tokenAddress?: string | undefined
}

const asToken = ({ registeredAt, ...token }: store.TokenRow) => ({ ...token, registeredAt: registeredAt.toISOString() })

const asBalance = (row: store.BalanceRow) => ({
  customerRef: customerOf(row.holder),
  tokenAddress: row.tokenAddress,
  total: (row.available + row.reserved).toString(),
  reserved: row.reserved.toString(),
  available: row.available.toString(),
  updatedAt: row.updatedAt.toISOString(),
})

function asLeg(holder: string, amount: bigint) {
  const account = holder === FEES ? 'FEES' : holder === EXTERNAL ? 'EXTERNAL' : 'CUSTOMER'
  return {
    customerRef: customerOf(holder),
    account: account as 'CUSTOMER' | 'FEES' | 'EXTERNAL',
    amount: amount.toString(),
  }
}

const asEntry = ({ fromHolder, toHolder, amount, createdAt, ...entry }: store.EntryView) => ({
  ...entry,
  legs: [asLeg(fromHolder, -amount), asLeg(toHolder, amount)],
  createdAt: createdAt.toISOString(),
})

const filterOf = ({ customerRef, tokenAddress }: LedgerQuery): store.LedgerFilter => ({
  holder: customerRef === undefined ? null : customerHolder(customerRef),
  tokenAddress: tokenAddress === undefined ? null : requireAddressField('tokenAddress', tokenAddress),
})

export function createLedgerService({ clock, random, units }: TradingParts) {
  /** Both legs or neither; the account is opened by the first money that comes. */
  async function move(tenant: TenantDatabase, kind: 'CREDIT' | 'DEBIT', request: Movement) {
    const { instanceId } = tenant
    const tokenAddress = requireAddressField('tokenAddress', request.tokenAddress)
    const amount = BigInt(request.amount)
    if (amount === 0n) throw fieldError('VALIDATION_ERROR', [{ field: 'amount', message: 'must be above zero' }])
    const holder = customerHolder(request.customerRef)
    const now = clock.now()
    const isCredit = kind === 'CREDIT'
    const entry: store.EntryView = {
      entryId: newId(clock, random),
      kind,
      tokenAddress,
      fromHolder: isCredit ? EXTERNAL : holder,
      toHolder: isCredit ? holder : EXTERNAL,
      amount,
      tradeId: null,
      reference: request.reference ?? null,
      createdAt: now,
    }
    const balance = await tenant.transaction(async (sql) => {
      await units.enterLane(sql, instanceId)
      const [token] = await store.readToken(sql, instanceId, tokenAddress)
      if (!token) throw new AppError('TOKEN_NOT_REGISTERED', { extra: { tokenAddress } })
      if (isCredit) await openAccount(sql, instanceId, { accountId: newId(clock, random), holder, now })
      const moved = await store.moveAvailable(sql, instanceId, {
        holder,
        tokenAddress,
        amount: isCredit ? amount : -amount,
        now,
      })
      if (!moved) throw await tooLittle(sql, instanceId, holder, tokenAddress, amount)
      await store.insertEntry(sql, instanceId, entry)
      return moved
    })
    return { entry: asEntry(entry), balance: asBalance(balance) }
  }

  async function tooLittle(sql: Sql, instanceId: string, holder: string, tokenAddress: string, amount: bigint) {
    const [row] = await store.readBalance(sql, instanceId, holder, tokenAddress)
    return new AppError('INSUFFICIENT_BALANCE', {
      extra: { required: asDecimal(amount), available: asDecimal(row?.available ?? 0n), tokenAddress },
    })
  }

  return {
    async registerToken(tenant: TenantDatabase, request: { tokenAddress: string; symbol: string; name?: string }) {
      const tokenAddress = requireAddressField('tokenAddress', request.tokenAddress)
      const token = { tokenAddress, symbol: request.symbol, name: request.name ?? null, registeredAt: clock.now() }
      return tenant.transaction(async (sql) => {
        await units.enterLane(sql, tenant.instanceId)
        await store.insertToken(sql, tenant.instanceId, token)
        const [row] = await store.readToken(sql, tenant.instanceId, tokenAddress)
        return asToken(row ?? token)
      })
    },

    async tokens(tenant: TenantDatabase) {
      return (await tenant.read((sql) => store.listTokens(sql, tenant.instanceId))).map(asToken)
    },

    credit: (tenant: TenantDatabase, request: Movement) => move(tenant, 'CREDIT', request),
    debit: (tenant: TenantDatabase, request: Movement) => move(tenant, 'DEBIT', request),

    async balances(tenant: TenantDatabase, query: LedgerQuery & PageRequest) {
      const [page, filter] = [pageOf(query, PAGE), filterOf(query)]
      const [rows, [counted]] = await Promise.all([
        tenant.read((sql) => store.listBalances(sql, tenant.instanceId, filter, page)),
        tenant.read((sql) => store.countBalances(sql, tenant.instanceId, filter)),
      ])
      return { balances: rows.map(asBalance), total: counted?.total ?? 0, ...page }
    },

    async entries(
      tenant: TenantDatabase,
      query: LedgerQuery & { limit?: string | undefined; cursor?: string | undefined },
    ) {
      const limit = countOf(query.limit, PAGE)
      const before = query.cursor ?? null
      if (before !== null && !isUuid(before))
        throw fieldError('VALIDATION_ERROR', [{ field: 'cursor', message: 'is none of this list' }])
      const rows = await tenant.read((sql) =>
        store.listEntries(sql, tenant.instanceId, filterOf(query), { limit, before }),
      )
      const nextCursor = rows.length === limit ? (rows.at(-1)?.entryId ?? null) : null
      return { entries: rows.map(asEntry), limit, nextCursor }
    },
  }
}

export type LedgerService = ReturnType<typeof createLedgerService>

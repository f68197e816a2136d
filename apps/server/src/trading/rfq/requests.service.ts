import { cancelRfq, openRfq } from '@tallystick/engine'
import type { RfqRecord, RfqWithoutQuotesRecord } from '@tallystick/wire'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { type PageRequest, pageOf } from '../../platform/page.ts'
import type { Notices } from './notices.service.ts'
import { appendNotices } from './notices.store.ts'
import type { RfqParts } from './parts.ts'
import { asRfq, asRfqRecord, asStored, withoutQuotes } from './rfq.rules.ts'
import * as store from './rfq.store.ts'
import { findRfq, holdRfq, seenNow, writeStep } from './rfq-rows.ts'
import { freedBy, requireStep } from './steps.ts'

const PAGE = { fallback: 50, most: 100 } as const

export interface NewRequest {
  readonly requesterAddress: string
  readonly baseToken: string
  readonly quoteToken: string
  readonly custodyContract: string
  readonly side: 'BUY' | 'SELL'
  readonly baseAmount: string
  readonly expiryMs?: number
}

/** What a requester does, and what everybody reads. */
export function createRequests({ clock, random, agreed, notices }: RfqParts & { readonly notices: Notices }) {
  return {
    async open(tenant: TenantDatabase, request: NewRequest): Promise<RfqWithoutQuotesRecord> {
      const { instanceId } = tenant
      const requester = requireAddressField('requesterAddress', request.requesterAddress)
      const market = {
        baseToken: requireAddressField('baseToken', request.baseToken),
        quoteToken: requireAddressField('quoteToken', request.quoteToken),
        custodyContract: requireAddressField('custodyContract', request.custodyContract),
      }
      const book = await agreed.findBook(tenant, market)
      const baseAmount = agreed.requireAmount(book, 'baseAmount', request.baseAmount)
      const record = await tenant.transaction(async (sql) => {
        const [read] = await store.readClock(sql)
        const at = (read?.now ?? clock.now()).getTime()
        const rfqId = newId(clock, random)
        const lifetime = request.expiryMs === undefined ? {} : { lifetimeMs: request.expiryMs }
        const { side } = request
        const { rfq } = requireStep(openRfq({ id: rfqId, requester, side, baseAmount, at, ...lifetime }))
        const row: store.RfqRow = {
          ...market,
          rfqId,
          instanceId,
          bookId: book.bookId,
          requester,
          chainId: BigInt(book.chainId),
          side,
          baseAmount: BigInt(baseAmount),
          status: rfq.status,
          expiresAt: new Date(rfq.expiresAt),
          createdAt: new Date(at),
          updatedAt: new Date(at),
        }
        await store.insertRfq(sql, row)
        const opened = withoutQuotes(row)
        await appendNotices(
          sql,
          instanceId,
          [{ rfqId, quoteId: null, status: row.status, record: opened }],
          row.createdAt,
        )
        return opened
      })
      await tenant.onceCommitted(async () => notices.announce(instanceId))
      return record
    },

    async list(tenant: TenantDatabase, query: PageRequest & { readonly status?: string | undefined }) {
      const page = pageOf(query, PAGE)
      const filter = { status: query.status ?? null }
      const [rows, [counted]] = await Promise.all([
        tenant.read((sql) => store.listRfqs(sql, tenant.instanceId, filter, page)),
        tenant.read((sql) => store.countRfqs(sql, tenant.instanceId, filter)),
      ])
      return { rfqs: asStored(rows).map(seenNow).map(asRfqRecord), total: counted?.total ?? 0, ...page }
    },

    async get(tenant: TenantDatabase, id: string): Promise<RfqRecord> {
      return asRfqRecord(seenNow(await findRfq(tenant, id)))
    },

    /** One that has ended is answered as it is. */
    async cancel(tenant: TenantDatabase, id: string, requesterAddress: string): Promise<RfqRecord> {
      const requester = requireAddressField('requesterAddress', requesterAddress)
      const after = await tenant.transaction(async (sql) => {
        const before = await holdRfq(sql, tenant.instanceId, id)
        const { row, readAt } = before
        const step = requireStep(cancelRfq(asRfq(before), requester, readAt.getTime()))
        const place = { chainId: Number(row.chainId), custody: row.custodyContract }
        await agreed.free(sql, place, freedBy(before, step), readAt)
        return writeStep(sql, before, step)
      })
      await tenant.onceCommitted(async () => notices.announce(tenant.instanceId))
      return asRfqRecord(after)
    },
  }
}

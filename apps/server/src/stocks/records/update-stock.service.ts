import type { BodyOf, stocksOperations } from '@tallystick/wire'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { StocksParts } from '../parts.ts'
import { asAddress } from './request-fields.ts'
import { shownRecord } from './stocks.service.ts'
import { updateStock } from './stocks.store.ts'
import { checkTerms } from './terms.ts'

type UpdateBody = BodyOf<typeof stocksOperations.updateStock>

/** What an instance calls a token: its own words, nothing on chain. */
export function createUpdateStock({ clock }: Pick<StocksParts, 'clock'>) {
  return async function update(tenant: TenantDatabase, tokenAddress: string, body: UpdateBody) {
    const { name, metadataURI } = body
    checkTerms({ ...(name === undefined ? {} : { name }), ...(metadataURI ? { metadataURI } : {}) })
    const address = asAddress('tokenAddress', tokenAddress)
    const change = { name, metadataURI: metadataURI === '' ? null : metadataURI }
    const [stock] = await tenant.transaction((sql) => updateStock(sql, tenant.instanceId, address, change, clock.now()))
    if (!stock) throw new AppError('TOKEN_NOT_FOUND')
    return { data: shownRecord(stock, tenant.instanceId) }
  }
}

export type UpdateStock = ReturnType<typeof createUpdateStock>

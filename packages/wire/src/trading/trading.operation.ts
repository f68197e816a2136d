import { type TProperties, type TSchema, Type } from 'typebox'
import { Id } from '../primitives.ts'

const STOCKS = '/orderbooks/stocks/api'
const COMMODITIES = '/orderbooks/commodities/api'
const EXTERNAL_SECURITIES = '/orderbooks/external-securities/api'

/** Where the off-chain books live: no trading service is needed there. */
export const OFFCHAIN = `${STOCKS}/offchain`

/** One operation on the three classes; the handler learns from the path which class was asked. */
export const onEveryClass = (path: string) => ({
  path: `${STOCKS}${path}`,
  alsoAt: [`${COMMODITIES}${path}`, `${EXTERNAL_SECURITIES}${path}`],
})

/** Where custody is pooled in a vault. */
export const onVaultClasses = (path: string) => ({
  path: `${STOCKS}${path}`,
  alsoAt: [`${COMMODITIES}${path}`],
})

export const onStocks = (path: string) => ({ path: `${STOCKS}${path}` })
export const onCommodities = (path: string) => ({ path: `${COMMODITIES}${path}` })
export const onExternalSecurities = (path: string) => ({ path: `${EXTERNAL_SECURITIES}${path}` })

export const offchain = { feature: 'trading' } as const
export const trading = { feature: 'trading', service: 'trading' } as const

/** What a caller sends: an unknown field is refused. */
export const Body = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
/** What we answer: nothing that is not written here. */
export const Data = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

export const BookPath = Type.Object({ orderBookId: Id })
export const bookIdCode = { orderBookId: 'INVALID_PARAM' } as const
export const OrderPath = Type.Object({ orderId: Id })
export const orderIdCode = { orderId: 'INVALID_PARAM' } as const

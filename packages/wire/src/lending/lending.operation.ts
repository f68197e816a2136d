import { type TObject, Type } from 'typebox'
import { Hash } from '../primitives.ts'

/** The prefixes under which the same lending operations are served. */
export const lendingPrefixes = {
  v2: '/lending-external-securities-v2/api',
  v1: '/lending-external-securities/api',
  stocks: '/lending-stocks/api',
} as const

type Edition = keyof typeof lendingPrefixes

/** One operation on every lending prefix; `edition` is the one that the documentation shows. */
export function lendingPath<const P extends string>(path: P, edition: Edition = 'v2') {
  const documented = `${lendingPrefixes[edition]}${path}` as const
  const others = Object.values(lendingPrefixes).filter((prefix) => prefix !== lendingPrefixes[edition])
  return {
    feature: 'lending',
    service: 'lending',
    path: documented,
    alsoAt: others.map((prefix) => `${prefix}${path}`),
  } as const
}

/** A market by the id of the instance's own record. */
export const MarketPath = Type.Object({ marketId: Type.String({ maxLength: 100 }) })
export const marketIdCode = { marketId: 'MISSING_MARKET_ID' } as const

/** A body that takes exactly these fields. */
export function Body<P extends TObject['properties']>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

/** The fields of a build are taken and ignored when it is confirmed, so that a caller can send the same body twice. */
export const withHash = <P extends TObject['properties']>(fields: P) =>
  Type.Object({ ...Type.Partial(Type.Object(fields)).properties, txHash: Hash }, { additionalProperties: false })

/** An answer that promises exactly these fields. */
export function Data<P extends TObject['properties']>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

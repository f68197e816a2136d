import type { TObject } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import type { ErrorTable } from '../operation.ts'
import { confirmErrors, tokenBuildErrors } from './stocks.errors.ts'
import { BuildBody, Built, ConfirmBody, Confirmed, TokenPath } from './stocks.schemas.ts'

type Fields = TObject['properties']

export const stocks = { feature: 'stocks', service: 'stocks', relayed: true } as const
export const tokenCode = { tokenAddress: 'VALIDATION_ERROR' } as const

interface StockWrite<
  I extends string,
  P extends string,
  B extends Fields,
  E extends Fields,
  D extends Fields,
  X extends ErrorTable,
> {
  readonly id: I
  readonly path: P
  readonly summary: string
  readonly description: string
  /** Fields of the body; all of them are cross-checks when a transaction is confirmed. */
  readonly body: B
  /** What a build says beside the usual. */
  readonly built: E
  /** What was done: the relayer's answer and the confirmation say the same. */
  readonly done: D
  /** Codes of the build beside the usual. */
  readonly errors: X
  readonly fieldCodes?: Readonly<Record<string, string>>
}

/** One write of a stock token: built unsigned, sent by the relayer, or confirmed by its hash. */
export function defineStockWrite<
  const I extends string,
  const P extends string,
  B extends Fields,
  E extends Fields,
  D extends Fields,
  const X extends ErrorTable,
>({ id, path, summary, description, body, built, done, errors, fieldCodes }: StockWrite<I, P, B, E, D, X>) {
  return defineOperation({
    ...stocks,
    id,
    method: 'POST',
    path: `/stocks/api${path}` as const,
    scope: 'stocks:write',
    summary,
    description: `${description} With \`txHash\`: confirms it; the other fields are then cross-checks.`,
    params: TokenPath,
    fieldCodes: { ...tokenCode, ...fieldCodes },
    unreadable: 'CHAIN_UNAVAILABLE',
    legs: {
      build: { body: BuildBody(body), data: Built(built, done), errors: { ...tokenBuildErrors, ...errors } },
      confirm: { body: ConfirmBody(body), data: Confirmed(done), errors: confirmErrors },
    },
  })
}

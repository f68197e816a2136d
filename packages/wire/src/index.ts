import * as accessOperations from './access/access.operations.ts'
import { codesOf } from './define-operation.ts'
import type { Operation } from './operation.ts'
import * as tokensOperations from './tokens/tokens.operations.ts'

export { routeErrors, transactionErrors, validationErrors } from './common.errors.ts'
export { codesOf, defineOperation } from './define-operation.ts'
export { Failure, Metadata, Success } from './envelope.ts'
export * from './operation.ts'
export * from './primitives.ts'
export type { AssetType, Framework } from './tokens/import.schemas.ts'
export { assetTypes, frameworks, profileFields } from './tokens/import.schemas.ts'
export { accessOperations, tokensOperations }

/** Every endpoint of the product, in the order the documentation shows them. */
export const operations: readonly Operation[] = [...Object.values(accessOperations), ...Object.values(tokensOperations)]

/** The error catalogue: every (operation, leg, code) that the interface promises. */
export function catalogue(): { operation: string; leg: string; code: string }[] {
  return operations.flatMap((operation) =>
    codesOf(operation).map(({ leg, code }) => ({ operation: operation.id, leg, code })),
  )
}

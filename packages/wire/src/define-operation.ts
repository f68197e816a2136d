import { Type } from 'typebox'
import { doorErrors, fieldDetails, internalError } from './common.errors.ts'
import type { ErrorTable, Operation, OperationSpec } from './operation.ts'

/** Declares one endpoint: its schemas and every code it can answer. OpenAPI, types, docs and checks all derive from it. */
export function defineOperation<const S extends OperationSpec>(spec: S): S & Pick<Operation, 'door' | 'fault'> {
  const fault = spec.fault ?? 'INTERNAL_ERROR'
  const legs = Object.fromEntries(
    Object.entries(spec.legs).map(([leg, { data, errors }]) => [
      leg,
      { data, errors: withDetails(fault in errors ? errors : { ...errors, ...internalError }, spec) },
    ]),
  )
  const query = spec.legs.build ? { query: withSafeFormat(spec) } : {}
  return { ...spec, ...query, fault, door: doorErrors(spec), legs } as S & Pick<Operation, 'door' | 'fault'>
}

/** Whatever is built to be signed can also be had as a file for a multi-signature wallet. */
function withSafeFormat({ query }: OperationSpec) {
  const format = Type.Optional(
    Type.Literal('safe', { description: 'Answers the calls as a file for the Safe Transaction Builder.' }),
  )
  return Type.Object({ ...query?.properties, format })
}

/** A code that stands for a field that failed its schema tells which, like `VALIDATION_ERROR` does. */
function withDetails(errors: ErrorTable, { fieldCodes = {}, plainValidation }: OperationSpec): ErrorTable {
  if (plainValidation) return errors
  const named = new Set(Object.values(fieldCodes))
  return Object.fromEntries(
    Object.entries(errors).map(([code, spec]) => [code, named.has(code) ? { ...spec, extra: fieldDetails } : spec]),
  )
}

/** Every (leg, code) that an operation can answer. */
export function codesOf(operation: Operation): { leg: string; code: string; table: ErrorTable }[] {
  const tables: [string, ErrorTable][] = [['door', operation.door]]
  for (const [leg, spec] of Object.entries(operation.legs)) tables.push([leg, spec.errors])
  return tables.flatMap(([leg, table]) => Object.keys(table).map((code) => ({ leg, code, table })))
}

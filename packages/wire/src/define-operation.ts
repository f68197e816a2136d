import { doorErrors, internalError } from './common.errors.ts'
import type { ErrorTable, Operation, OperationSpec } from './operation.ts'

/** Declares one endpoint: its schemas and every code it can answer. OpenAPI, types, docs and checks all derive from it. */
export function defineOperation<const S extends OperationSpec>(spec: S): S & Pick<Operation, 'door' | 'fault'> {
  const fault = spec.fault ?? 'INTERNAL_ERROR'
  const legs = Object.fromEntries(
    Object.entries(spec.legs).map(([leg, { data, errors }]) => [
      leg,
      { data, errors: fault in errors ? errors : { ...errors, ...internalError } },
    ]),
  )
  return { ...spec, fault, door: doorErrors(spec), legs } as S & Pick<Operation, 'door' | 'fault'>
}

/** Every (leg, code) that an operation can answer. */
export function codesOf(operation: Operation): { leg: string; code: string; table: ErrorTable }[] {
  const tables: [string, ErrorTable][] = [['door', operation.door]]
  for (const [leg, spec] of Object.entries(operation.legs)) tables.push([leg, spec.errors])
  return tables.flatMap(([leg, table]) => Object.keys(table).map((code) => ({ leg, code, table })))
}

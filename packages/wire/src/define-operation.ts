import { type TObject, type TSchema, Type } from 'typebox'
import { doorErrors, fieldDetails, internalError } from './common.errors.ts'
import type { ErrorTable, Operation, OperationSpec } from './operation.ts'

/** Declares one endpoint: its schemas and every code it can answer. OpenAPI, types, docs and checks all derive from it. */
export function defineOperation<const S extends OperationSpec>(spec: S): S & Pick<Operation, 'door' | 'fault'> {
  const fault = spec.fault ?? 'INTERNAL_ERROR'
  const legs = Object.fromEntries(
    Object.entries(spec.legs).map(([leg, { errors, ...rest }]) => [
      leg,
      { ...rest, errors: withDetails(fault in errors ? errors : { ...errors, ...internalError }, spec) },
    ]),
  )
  const query = spec.legs.build ? { query: withSafeFormat(spec) } : {}
  const body = spec.body ?? oneBodyOf(spec)
  return { ...spec, ...(body ? { body } : {}), ...query, fault, door: doorErrors(spec), legs } as S &
    Pick<Operation, 'door' | 'fault'>
}

/** One body that fits every leg: what only one of them wants is optional. */
function oneBodyOf({ legs }: OperationSpec): TObject | undefined {
  const bodies = Object.values(legs).flatMap(({ body }) => body ?? [])
  if (bodies.length === 0) return undefined
  const isRequired = (name: string) =>
    bodies.every(({ required }) => (required as string[] | undefined)?.includes(name))
  const fields = Object.assign({}, ...bodies.toReversed().map(({ properties }) => properties)) as TObject['properties']
  const names = [...new Set(bodies.flatMap(({ properties }) => Object.keys(properties)))]
  return Type.Object(
    Object.fromEntries(
      names.map((name) => {
        const field = fields[name] as TSchema
        return [name, isRequired(name) ? field : Type.Optional(field)]
      }),
    ),
    { additionalProperties: false },
  )
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

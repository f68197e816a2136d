import type { Operation } from '@tallystick/wire'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { type AppCode, type AppError, type FieldFault, fieldError } from '../app-error.ts'
import { legOf } from './answer.ts'
import { isPlainText, NOT_PLAIN } from './json-body.ts'

interface SchemaError {
  keyword: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

function fieldOf(error: SchemaError): string[] {
  const path = error.instancePath.split('/').slice(1).join('.')
  const within = (names: unknown) => (names as string[]).map((name) => (path ? `${path}.${name}` : name))
  if (error.keyword === 'required') return within(error.params.requiredProperties)
  if (error.keyword === 'additionalProperties') return within(error.params.additionalProperties)
  return [path || 'body']
}

function sentence(error: SchemaError): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a field of this request'
  return error.message
}

function faultsOf(errors: SchemaError[]): FieldFault[] {
  const faults = new Map<string, string>()
  // A refused field is reported twice by the validator, once as "schema is false"; the second says what is meant.
  for (const error of errors.filter(({ keyword }) => keyword !== 'boolean')) {
    for (const field of fieldOf(error)) if (!faults.has(field)) faults.set(field, sentence(error))
  }
  return [...faults].map(([field, message]) => ({ field, message }))
}

/** What an operation declares is a code of its own table; the types of operations are too wide to say so. */
export const declaredCode = (code: string): AppCode => code as AppCode

/** The route's own code for the first field in the operation's order that failed, with all faults as details. */
export function invalid(operation: Operation, faults: readonly FieldFault[]): AppError {
  const failed = (name: string) => faults.find(({ field }) => field === name || field.startsWith(`${name}.`))
  const own = Object.entries(operation.fieldCodes ?? {}).find(([name]) => failed(name))
  return fieldError(own ? declaredCode(own[1]) : 'VALIDATION_ERROR', faults)
}

/** A process may build the app more than once; what a schema compiles to is always the same. */
const validators = new WeakMap<TSchema, Validator>()

function compiled(schema: TSchema | undefined): Validator | undefined {
  if (!schema) return undefined
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator
}

const strange = (name: string): FieldFault => ({
  field: name.slice(0, LONGEST_NAME),
  message: 'is not a query parameter of this route',
})

function oddity(field: string, value: unknown): FieldFault[] {
  if (Array.isArray(value)) return [{ field, message: 'is given more than once' }]
  if (typeof value === 'string' && !isPlainText(value)) return [{ field, message: NOT_PLAIN }]
  return []
}

/** Nobody mends more at once, and an answer is not to grow with what was sent. */
const MOST_FAULTS = 50
const LONGEST_NAME = 100
const first = (faults: readonly FieldFault[]): FieldFault[] => faults.slice(0, MOST_FAULTS)

/** No coercion, no defaults, nothing dropped. A schema is compiled once, by the first request: all of them hold a start up. */
export function createValidator(operation: Operation) {
  const known = new Set(Object.keys(operation.query?.properties ?? {}))

  function check(schema: TSchema | undefined, value: unknown, faults: FieldFault[]): void {
    const validator = compiled(schema)
    if (validator && !validator.Check(value)) faults.push(...faultsOf(validator.Errors(value) as SchemaError[]))
  }

  function checkTexts(query: Record<string, unknown>, params: Record<string, unknown>): void {
    const unknown = Object.keys(query).filter((name) => !known.has(name))
    // Never the code of a field that happens to have the name: that one is about something else.
    if (unknown.length > 0) throw fieldError('VALIDATION_ERROR', first(unknown.map(strange)))
    const texts = [...Object.entries(query), ...Object.entries(params)]
    const faults = texts.flatMap(([field, value]) => oddity(field, value))
    if (faults.length > 0) throw invalid(operation, faults)
  }

  return (request: { params: unknown; query: unknown; body: unknown }): void => {
    const { query, params } = request as { query: Record<string, unknown>; params: Record<string, unknown> }
    // Writes mostly bring a body and nothing else.
    if (!isEmptyObject(query) || !isEmptyObject(params)) checkTexts(query ?? {}, params ?? {})
    const faults: FieldFault[] = []
    const leg = legOf(operation, request.body)
    const ofLeg = leg === 'door' ? undefined : operation.legs[leg]?.body
    check(operation.params, request.params, faults)
    check(operation.query, request.query, faults)
    check(ofLeg ?? operation.body, request.body, faults)
    const { body } = request
    if (!operation.body && operation.method !== 'GET' && body !== undefined && !isEmptyObject(body))
      faults.push({ field: 'body', message: 'must be absent, empty or {}: this route takes no body' })
    if (faults.length > 0) throw invalid(operation, first(faults))
  }
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

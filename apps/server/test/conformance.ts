import { Ajv2020 } from 'ajv/dist/2020.js'
import type { plainDocument } from '../src/platform/http/openapi/describe.ts'

interface Media {
  content?: { 'application/json'?: { schema: object } }
}
type Paths = Record<string, Record<string, { operationId: string; responses: Record<string, Media> }>>

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
// Not optimized: most validators look at a few answers, and take longer to make than to run.
const ajv = new Ajv2020({
  ...{ strict: false, allErrors: true, formats: { 'date-time': INSTANT } },
  code: { optimize: false },
})
const validators = new Map<string, ReturnType<typeof ajv.compile>>()
/** Operations refuse in the same form: by the text of it. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

function schemaOf(document: { paths: object }, operationId: string, status: number): object | undefined {
  for (const path of Object.values(document.paths as Paths))
    for (const operation of Object.values(path))
      if (operation.operationId === operationId)
        return operation.responses[String(status)]?.content?.['application/json']?.schema
  return undefined
}

/** Closes every object that does not say that it is open: here a field that nobody documented is a fault. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]))
  const isOpen = 'additionalProperties' in members || !('properties' in members)
  return members.type === 'object' && !isOpen ? { ...members, additionalProperties: false } : members
}

/** Fails on a status or a field that the served OpenAPI document does not promise. */
export function assertDocumented(
  document: ReturnType<typeof plainDocument>,
  operationId: string,
  status: number,
  body: unknown,
): void {
  const name = `${operationId} ${status}`
  let validate = validators.get(name)
  if (!validate) {
    const schema = schemaOf(document, operationId, status)
    if (!schema)
      throw new Error(
        `${operationId} answered ${status}, which its documentation does not list: ${JSON.stringify(body)}`,
      )
    const text = JSON.stringify(schema)
    validate = compiled.get(text) ?? ajv.compile(closed(JSON.parse(text)) as object)
    compiled.set(text, validate)
    validators.set(name, validate)
  }
  if (!validate(body))
    throw new Error(
      `${name} answered something undocumented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
}

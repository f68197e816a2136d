import { Ajv2020 } from 'ajv/dist/2020.js'
import type { plainDocument } from '../src/platform/http/openapi/describe.ts'

interface Media {
  content?: { 'application/json'?: { schema: object } }
}
interface Described {
  operationId: string
  responses: Record<string, Media>
}
interface Refusal {
  properties?: { error?: { anyOf?: readonly { description?: string; properties?: { code?: { const?: string } } }[] } }
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
// Not optimized: most validators look at a few answers, and take longer to make than to run.
const ajv = new Ajv2020({
  ...{ strict: false, allErrors: true, formats: { 'date-time': INSTANT } },
  code: { optimize: false },
})
const validators = new Map<string, ReturnType<typeof ajv.compile>>()
/** Operations refuse in the same form: by the text of it. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>()

const describedIn = new WeakMap<object, Map<string, Described>>()

function schemaOf(document: { paths: object }, operationId: string, status: number): object | undefined {
  let described = describedIn.get(document)
  if (!described) {
    const operations = Object.values(document.paths as Record<string, Record<string, Described>>).flatMap(Object.values)
    described = new Map(operations.map((one: Described) => [one.operationId, one]))
    describedIn.set(document, described)
  }
  return described.get(operationId)?.responses[String(status)]?.content?.['application/json']?.schema
}

/**
 * A refusal has one form for each code. Those of other codes do not fit an answer, whatever it holds: they need not be compiled, and many
 * operations share the one that is left.
 */
function formOfCode(schema: Refusal, code: string | undefined): object {
  const forms = schema.properties?.error?.anyOf?.filter(({ properties }) => properties?.code?.const === code) ?? []
  const [form] = forms
  // No form: the whole schema says what is wrong.
  if (!form || forms.length > 1) return schema
  const { description: _sentence, ...error } = form
  return { ...schema, properties: { ...schema.properties, error } }
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
  const code = (body as { error?: { code?: string } | null } | null | undefined)?.error?.code
  const key = `${name} ${code}`
  let validate = validators.get(key)
  if (!validate) {
    const schema = schemaOf(document, operationId, status)
    if (!schema)
      throw new Error(
        `${operationId} answered ${status}, which its documentation does not list: ${JSON.stringify(body)}`,
      )
    const text = JSON.stringify(formOfCode(schema, code))
    validate = compiled.get(text) ?? ajv.compile(closed(JSON.parse(text)) as object)
    compiled.set(text, validate)
    validators.set(key, validate)
  }
  if (!validate(body))
    throw new Error(
      `${name} answered something undocumented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
}

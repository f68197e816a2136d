import { Ajv2020 } from 'ajv/dist/2020.js'
import type { openApiDocument } from '../src/platform/http/openapi.ts'

interface Media {
  content?: { 'application/json'?: { schema: object } }
}
type Paths = Record<string, Record<string, { operationId: string; responses: Record<string, Media> }>>

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

function schemaOf(document: { paths: object }, operationId: string, status: number): object | undefined {
  for (const path of Object.values(document.paths as Paths))
    for (const operation of Object.values(path))
      if (operation.operationId === operationId)
        return operation.responses[String(status)]?.content?.['application/json']?.schema
  return undefined
}

/** Fails on a status or a field that the served OpenAPI document does not promise. */
export function assertDocumented(
  document: ReturnType<typeof openApiDocument>,
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
    validate = ajv.compile(JSON.parse(JSON.stringify(schema)) as object)
    validators.set(name, validate)
  }
  if (!validate(body))
    throw new Error(
      `${name} answered something undocumented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
}

import { codesOf, defineOperation, operations, validationErrors } from '@tallystick/wire'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { plainDocument } from './describe.ts'

interface Described {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: object } } }
  responses: Record<string, { description: string; content: { 'application/json': { schema: object } } }>
  security: object[]
}

// As a client receives it: JSON text, nothing that only lives in memory.
const document = JSON.parse(JSON.stringify(plainDocument('1.2.3'))) as {
  openapi: string
  info: Record<string, unknown>
  tags: { name: string }[]
  components: { securitySchemes: Record<string, object> }
  paths: Record<string, Record<string, Described>>
}
const described = (id: string): Described => {
  const found = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find((one) => one.operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })

type ErrorShape = { properties: { code: { const: string } } }
type ErrorAnswer = { properties: { error: ErrorShape & { anyOf?: ErrorShape[] } } }

describe('the description of every operation', () => {
  it('has the frame of OpenAPI 3.1', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: '1.2.3', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
    })
    expect(Object.keys(document).sort()).toEqual(['components', 'info', 'openapi', 'paths', 'tags'])
  })

  it('lists every operation once, under its path and method, with a unique id', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
    )
    expect(listed.sort()).toEqual(operations.map(({ method, path, id }) => `${method} ${path} ${id}`).sort())
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s shows every status and code it can answer, and no other',
    (id, operation) => {
      const promised = new Map<string, Set<string>>()
      for (const { code, table } of codesOf(operation)) {
        const status = String(table[code]?.status)
        promised.set(status, (promised.get(status) ?? new Set()).add(code))
      }
      const { responses } = described(id)
      const successes = operation.legs.build ? ['200', '202'] : ['200']
      expect(Object.keys(responses).sort()).toEqual([...successes, ...promised.keys()].sort())
      for (const [status, codes] of promised) {
        const answer = responses[status]?.content['application/json'].schema as ErrorAnswer | undefined
        const error = answer?.properties.error
        const shown = (error?.anyOf ?? [error]).map((one) => one?.properties.code.const)
        expect(new Set(shown)).toEqual(codes)
      }
    },
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s is described in full: parameters, body, scope, key, schemas that compile',
    (id, operation) => {
      const one = described(id)
      expect(one.tags).toEqual([operation.feature])
      expect(document.tags).toContainEqual({ name: operation.feature, description: expect.any(String) })
      const needed = operation.open ? 'no key' : `\`${operation.scope}\``
      expect(one.description).toContain(needed)
      expect(one.security).toEqual(operation.open ? [] : [{ apiKey: [] }])
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const parameters = one.parameters.filter((parameter) => parameter.in === 'path')
      expect(parameters.map(({ name }) => name)).toEqual(inPath)
      expect(parameters.every(({ required }) => required)).toBe(true)
      const header = one.parameters.some(({ name }) => name === 'Idempotency-Key')
      expect(header).toBe(operation.method !== 'GET' && !operation.open)
      expect(one.requestBody !== undefined).toBe(operation.body !== undefined)
      const schemas = [
        ...Object.values(one.responses).flatMap(({ content }) => Object.values(content).map(({ schema }) => schema)),
        ...one.parameters.map(({ schema }) => schema),
        ...(one.requestBody ? [one.requestBody.content['application/json'].schema] : []),
      ]
      for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true)
    },
  )

  it('requires the extra fields of a code, and allows none that it does not list', () => {
    const schema = described('listKeys').responses['403']?.content['application/json'].schema ?? {}
    const fits = ajv.compile(schema)
    const failure = (error: object) => ({
      success: false,
      data: null,
      error: { code: 'SCOPE_MISSING', message: 'm', ...error },
      metadata: { requestId: 'r', timestamp: '2026-03-01T10:00:00.000Z' },
    })
    expect(fits(failure({ requiredScope: 'access:read' }))).toBe(true)
    expect(fits(failure({}))).toBe(false)
    expect(fits(failure({ requiredScope: 'access:read', other: 1 }))).toBe(false)
    expect(fits(failure({ requiredScope: 'access:read', code: 'OTHER' }))).toBe(false)
  })

  it('shows the answers of both legs and which query parameters are required', () => {
    const build = Type.Object({ built: Type.Literal(true) }, { additionalProperties: false })
    const confirm = Type.Object({ confirmed: Type.Literal(true) }, { additionalProperties: false })
    const operation = defineOperation({
      id: 'twoLegs',
      feature: 'lending',
      method: 'POST',
      path: '/x',
      scope: 'lending:write',
      summary: 's',
      query: Type.Object({ must: Type.String(), may: Type.Optional(Type.String()) }),
      legs: { build: { data: build, errors: validationErrors }, confirm: { data: confirm, errors: validationErrors } },
    })
    const own = JSON.parse(JSON.stringify(plainDocument('1', [operation]))).paths['/x'].post as Described
    const required = own.parameters.filter((one) => one.in === 'query').map((one) => [one.name, one.required])
    expect(required).toEqual([
      ['must', true],
      ['may', false],
      ['format', false],
    ])
    const fits = ajv.compile(own.responses['200']?.content['application/json'].schema ?? {})
    const metadata = { requestId: 'r', timestamp: '2026-03-01T10:00:00.000Z' }
    expect(fits({ success: true, data: { built: true }, metadata })).toBe(true)
    expect(fits({ success: true, data: { confirmed: true }, metadata })).toBe(true)
    expect(fits({ success: true, data: {}, metadata })).toBe(false)
  })
})

import { defineOperation, validationErrors } from '@tallystick/wire'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { createValidator } from './validate.ts'

const data = Type.Object({})
const own = { status: 400, message: 'own' }
const common = { feature: 'access', scope: 'access:write', summary: 'test' } as const

const writing = defineOperation({
  ...common,
  id: 'writeThing',
  method: 'POST',
  path: '/things/{thingId}',
  params: Type.Object({ thingId: Type.String({ maxLength: 100 }) }),
  query: Type.Object({ mode: Type.Optional(Type.String({ maxLength: 3 })) }),
  body: Type.Object(
    {
      text: Type.String({ minLength: 1 }),
      count: Type.Optional(Type.Integer()),
      inner: Type.Optional(Type.Object({ deep: Type.String() }, { additionalProperties: false })),
    },
    { additionalProperties: false },
  ),
  fieldCodes: { inner: 'BAD_INNER', thingId: 'BAD_ID' },
  legs: { write: { data, errors: { ...validationErrors, BAD_ID: own, BAD_INNER: own } } },
})

function refusal(request: { params?: unknown; query?: unknown; body?: unknown }, operation: typeof writing = writing) {
  try {
    createValidator(operation)({ params: { thingId: 'a' }, query: {}, body: undefined, ...request })
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { code: error.code, details: error.extra.details as { field: string; message: string }[] }
  }
}
const fields = (body: unknown) => refusal({ body })?.details.map(({ field }) => field)

describe('checking a request', () => {
  it('passes what fits and changes nothing in it', () => {
    const body = Object.freeze({ text: 'a', count: 1, inner: Object.freeze({ deep: 'b' }) })
    expect(refusal({ body })).toBeNull()
  })

  it('never coerces: a number is no string and a string no number', () => {
    expect(refusal({ body: { text: 5 } })).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'text' }] })
    expect(refusal({ body: { text: 'a', count: '5' } })).toMatchObject({ details: [{ field: 'count' }] })
    expect(refusal({ body: { text: 'a', count: 1.5 } })).toMatchObject({ details: [{ field: 'count' }] })
    expect(refusal({ body: { text: 'a', count: null } })).toMatchObject({ details: [{ field: 'count' }] })
  })

  it('names a missing field and an unknown one, each once', () => {
    expect(refusal({ body: { other: 1 } })).toEqual({
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'text', message: 'is required' },
        { field: 'other', message: 'is not a field of this request' },
      ],
    })
  })

  it('names a field inside another by its path', () => {
    expect(fields({ text: 'a', inner: {} })).toEqual(['inner.deep'])
    expect(fields({ text: 'a', inner: { deep: 'b', more: 1 } })).toEqual(['inner.more'])
  })

  it.each([[undefined], [null], [[]], ['text'], [7]])('refuses %j as a whole body', (body) => {
    expect(fields(body)).toEqual(['body'])
  })

  it("answers the route's own code for a field that has one, the first of the operation's order", () => {
    const long = { thingId: 'x'.repeat(101) }
    expect(refusal({ params: long, body: { text: 'a' } })?.code).toBe('BAD_ID')
    expect(refusal({ body: { text: 'a', inner: { deep: 1 } } })?.code).toBe('BAD_INNER')
    expect(refusal({ params: long, body: { text: 'a', inner: 1 } })?.code).toBe('BAD_INNER')
    expect(refusal({ params: long, body: { text: 1 } })).toMatchObject({
      code: 'BAD_ID',
      details: [{ field: 'thingId' }, { field: 'text' }],
    })
  })

  it('does not take a field for another one whose name begins the same', () => {
    const operation = { ...writing, fieldCodes: { in: 'BAD_INNER' } } as unknown as typeof writing
    expect(refusal({ body: { text: 'a', inner: 1 } }, operation)?.code).toBe('VALIDATION_ERROR')
  })

  it('checks the query too', () => {
    expect(refusal({ query: { mode: 'long' }, body: { text: 'a' } })).toMatchObject({ details: [{ field: 'mode' }] })
  })
})

describe('a route without a body', () => {
  const { body: _body, ...bare } = writing
  const bodyless = bare as unknown as typeof writing

  it('takes none and an empty object', () => {
    expect(refusal({ body: undefined }, bodyless)).toBeNull()
    expect(refusal({ body: {} }, bodyless)).toBeNull()
  })

  it.each([[{ a: 1 }], [[]], [null], [''], [0], [false]])('refuses %j', (body) => {
    expect(refusal({ body }, bodyless)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'body' }] })
  })
})

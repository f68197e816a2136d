import { operations, Success } from '@tallystick/wire'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { recordedExamples } from './examples.ts'

const examples = recordedExamples()

/** Where a value does not fit its schema; nothing when it does. */
const faults = (schema: TSchema, value: unknown) => (Value.Check(schema, value) ? [] : [...Value.Errors(schema, value)])

describe('the examples of the document: `npm run examples` records those that are missing or no longer true', () => {
  it('are of operations that there are', () => {
    expect(Object.keys(examples)).toEqual(operations.map(({ id }) => id))
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has one for each leg, of the form that the leg declares',
    (id, operation) => {
      for (const [leg, { body = operation.body, data }] of Object.entries(operation.legs)) {
        const example = examples[id]?.[leg]
        expect([leg, example?.path.split('/').length]).toEqual([leg, operation.path.split('/').length])
        expect([leg, body ? faults(body, example?.body) : example?.body]).toEqual([leg, body ? [] : undefined])
        const answer = operation.files ? Type.Undefined() : operation.stream ? data : Success(data, operation)
        expect([leg, faults(answer, example?.answer)]).toEqual([leg, []])
      }
    },
  )

  it('tell nothing of the machine that they were recorded on', () => {
    expect(JSON.stringify(examples)).not.toMatch(/127\.0\.0\.1|localhost|\/tmp\//)
  })
})

import { type Operation, Success } from '@tallystick/wire'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Example } from '../../src/platform/http/openapi/examples.ts'

const faults = (schema: TSchema, value: unknown): unknown[] =>
  Value.Check(schema, value) ? [] : [...Value.Errors(schema, value)]

/** What an example says that its leg does not declare, or leaves out of what it does; nothing when it is true. */
export function exampleFaults(operation: Operation, leg: string, example: Example): unknown[] {
  const spec = Object.entries(operation.legs).find(([name]) => name === leg)?.[1]
  if (!spec) return [`${operation.id} has no leg ${leg}`]
  const { body = operation.body, data } = spec
  const answer = operation.files ? Type.Undefined() : operation.stream ? data : Success(data, operation)
  const form = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}([?]|$)`)
  return [
    ...(form.test(example.path) ? [] : [`${example.path} is not ${operation.path}`]),
    ...faults(body ?? Type.Undefined(), example.body),
    ...faults(answer, example.answer),
  ]
}

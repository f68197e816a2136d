import { operations } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { recordedExamples } from '../../src/platform/http/openapi/examples.ts'
import { exampleFaults } from './example-faults.ts'

const examples = recordedExamples()

describe('the examples of the document: `npm run examples` records those that are missing or no longer true', () => {
  it('are of operations that there are', () => {
    expect(Object.keys(examples)).toEqual(operations.map(({ id }) => id))
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has one for each leg, on its main path, of the form that the leg declares',
    (id, operation) => {
      const own = examples[id] ?? {}
      expect(Object.keys(own)).toEqual(Object.keys(operation.legs))
      for (const [leg, example] of Object.entries(own))
        expect([leg, exampleFaults(operation, leg, example)]).toEqual([leg, []])
    },
  )

  it('would not pass with a field of another form, without one, or from another path', () => {
    const operation = operations.find(({ id }) => id === 'borrowMore')
    const example = examples.borrowMore?.build
    if (!operation || !example) throw new Error('borrowMore has no example')
    const { data, metadata } = example.answer as { data: Record<string, unknown>; metadata: unknown }
    const { chainId: _, ...less } = data
    const others = [
      { ...example, body: { ...(example.body as object), amount: [] } },
      { ...example, answer: { success: true, data: { ...data, chainId: 'one' }, metadata } },
      { ...example, answer: { success: true, data: less, metadata } },
      { ...example, path: operation.alsoAt?.[0] ?? '' },
    ]
    for (const other of others) expect(exampleFaults(operation, 'build', other)).not.toEqual([])
    expect(exampleFaults(operation, 'read', example)).not.toEqual([])
  })

  it('tell nothing of the machine that they were recorded on', () => {
    expect(JSON.stringify(examples)).not.toMatch(/127\.0\.0\.1|localhost|\/tmp\//)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClients } from './generated-clients.ts'
import { expectNoFault } from './lint.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'

describe('the served document, in the hands of programs of others', () => {
  let document: ServedDocument
  beforeAll(async () => {
    document = await serveDocument()
  })
  afterAll(() => document.stop())

  // Both tests leave out what takes seconds more, and what the slow suite does: redocly on all examples, clients of all operations.
  it('has no fault that redocly finds', async () => {
    await expectNoFault(document, ['--skip-rule', 'no-invalid-media-type-examples'])
  })

  it('makes clients with openapi-typescript and Hey API that compile strictly and call the service', async () => {
    const { answers } = await generateClients(document, 'access')
    const own = [expect.any(String)]
    expect(answers).toEqual([
      { names: own, code: 'AUTH_FAILED' },
      { names: own, code: 'AUTH_FAILED' },
    ])
  })
})

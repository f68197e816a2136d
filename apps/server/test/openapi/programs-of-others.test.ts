import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectNoFault } from './lint.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'

describe('the served document, in the hands of programs of others', () => {
  let document: ServedDocument
  beforeAll(async () => {
    document = await serveDocument()
  })
  afterAll(() => document.stop())

  // Without what takes seconds more and the slow suite does: redocly on all examples, clients of all operations.
  it('has no fault that redocly finds', async () => {
    await expectNoFault(document, ['--skip-rule', 'no-invalid-media-type-examples'])
  })
})

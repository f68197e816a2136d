import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClients } from './generated-clients.ts'
import { expectNoFault } from './lint.ts'
import { type ServedDocument, serveDocument } from './served-document.ts'

describe('the whole served document', { timeout: 600_000 }, () => {
  let document: ServedDocument
  beforeAll(async () => {
    document = await serveDocument()
  })
  afterAll(() => document.stop())

  it('has examples that redocly finds true', async () => {
    await expectNoFault(document)
  })

  it('makes a client of every operation that compiles strictly and calls the service', async () => {
    const { answers } = await generateClients(document)
    expect(answers).toEqual([
      { names: [expect.any(String)], code: 'AUTH_FAILED' },
      { names: [expect.any(String)], code: 'AUTH_FAILED' },
    ])
  })
})

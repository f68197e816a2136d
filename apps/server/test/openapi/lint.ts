import { join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../../tools/src/support/repository.ts'
import type { ServedDocument } from './served-document.ts'

/** Holds the document against the strict rules of redocly (`redocly.yaml`). */
export async function expectNoFault({ run }: ServedDocument, options: readonly string[] = []): Promise<void> {
  const config = join(repositoryRoot, 'redocly.yaml')
  const said = await run('redocly', 'lint', 'openapi.json', '--config', config, '--max-problems', '20', ...options)
  expect(said).toContain('Your API description is valid')
  expect(said).not.toMatch(/\d+ (warning|error)s?\b/)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'
import { conformancePage } from './page.ts'
import { row } from './row.ts'
import { conformanceTable } from './table.ts'

describe('the table of conformance', () => {
  it('names every row once, in a section of the page, and tests in files that exist', () => {
    const ids = conformanceTable.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(conformancePage(conformanceTable)).toContain(`of ${ids.length} rows are covered`)
    const tests = conformanceTable.flatMap(({ proofs }) => proofs.filter(({ kind }) => kind === 'test'))
    const files = new Set(tests.map((proof) => ('file' in proof ? proof.file : '')))
    expect([...files].filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([])
  })

  it('is shown with what is covered and what is not', () => {
    const rows = [row('1/a', 'A|B.'), row('9/b', 'B.', { kind: 'test', file: 'x/some.test.ts', name: 'it is' })]
    const page = conformancePage(rows)
    expect(page).toContain('1 of 2 rows are covered.')
    expect(page).toContain('| 1 | Conventions | 0 | 1 |')
    expect(page).toContain('| 1/a | A\\|B. | **nothing yet** |')
    expect(page).toContain('| 9/b | B. | some.test.ts: it is |')
    expect(() => conformancePage([row('10/c', 'C.')])).toThrow('10/c')
  })
})

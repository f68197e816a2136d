import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeTemporaryTree } from '../support/temporary-tree.ts'
import { codeKey, type Evidence, fieldKey, readEvidence, testKey } from './evidence.ts'
import { conformanceFindings } from './findings.ts'
import { codeRows, fieldRows, row, testsIn } from './row.ts'

const test = testsIn('some.test.ts', 'a group')
const evidence = (shown: Partial<Evidence> = {}): Evidence => ({
  tests: new Map([[testKey('some.test.ts', 'a group passes'), 'passed']]),
  statuses: new Map([[codeKey('sweep', 'build', 'NOTHING'), 409]]),
  provoked: new Set([codeKey('sweep', 'build', 'NOTHING')]),
  answered: new Map(),
  ...shown,
})

describe('conformance', () => {
  it('is proven by a test that ran and passed, and by no other', () => {
    expect(conformanceFindings([row('1/a', 'A.', test('passes'))], evidence())).toEqual([])
    expect(conformanceFindings([row('1/a', 'A.', test('is gone'))], evidence())).toEqual([
      '1/a: its test was not run: some.test.ts: a group is gone',
    ])
    const failed = evidence({ tests: new Map([[testKey('some.test.ts', 'a group passes'), 'skipped']]) })
    expect(conformanceFindings([row('1/a', 'A.', test('passes'))], failed)).toEqual([
      '1/a: its test skipped: some.test.ts: a group passes',
    ])
  })

  it('wants a field that was answered with exactly its types', () => {
    const place = { section: '4.5', operation: 'sweep', leg: 'build', at: 'data' } as const
    const rows = fieldRows(place, test('passes'), { amount: ['string|null', 'What is paid.'], rate: ['number', 'R.'] })
    const answered = (amount: string[], rate: string[]) =>
      evidence({
        answered: new Map([
          [fieldKey('sweep build', 'data.amount'), new Set(amount)],
          [fieldKey('sweep build', 'data.rate'), new Set(rate)],
        ]),
      })
    expect(conformanceFindings(rows, answered(['string', 'null'], ['integer', 'number']))).toEqual([])
    expect(conformanceFindings(rows, answered(['string', 'object'], ['integer']))).toEqual([
      '4.5/amount: no test was answered null as data.amount of sweep (build)',
      '4.5/amount: a test was answered object as data.amount of sweep (build)',
    ])
  })

  it('wants a code that was provoked, with its status and the fields beside it', () => {
    const rows = codeRows('7/4.5', 'sweep', 'build', { NOTHING: [409, 'nothing booked', 'owner'] })
    const owned = new Map([[fieldKey('sweep NOTHING', 'error.owner'), new Set(['string'])]])
    expect(conformanceFindings(rows, evidence({ answered: owned }))).toEqual([])
    expect(conformanceFindings(rows, evidence({ provoked: new Set() }))).toEqual([
      '7/4.5/NOTHING: no test provoked sweep build NOTHING',
      '7/4.5/NOTHING: no test was answered owner beside sweep build NOTHING',
    ])
    const other = evidence({ statuses: new Map([[codeKey('sweep', 'build', 'NOTHING'), 400]]), answered: owned })
    expect(conformanceFindings(rows, other)).toEqual([
      '7/4.5/NOTHING: the catalogue gives sweep build NOTHING the status 400, not 409',
    ])
    expect(conformanceFindings(rows, evidence({ statuses: new Map() }))).toEqual([
      '7/4.5/NOTHING: the catalogue does not list sweep build NOTHING',
    ])
  })

  it('has no row twice, and none that nothing proves', () => {
    const rows = [row('1/a', 'A.', test('passes')), row('1/a', 'Again.', test('passes')), row('1/b', 'B.')]
    expect(conformanceFindings(rows, evidence())).toEqual(['1/a: stands in the table twice', '1/b: nothing proves it'])
  })

  it('reads what a run left behind', () => {
    const result = { name: '/root/some.test.ts', assertionResults: [{ fullName: 'a group passes', status: 'passed' }] }
    const tree = writeTemporaryTree({
      'report.json': JSON.stringify({ testResults: [result] }),
      'answers/1.tsv': 'sweep build\tdata.amount\tstring\nsweep build\tdata.amount\tnull\n',
      'answers/2.tsv': 'sweep build\tdata.amount\tstring\n',
      'provoked/1.jsonl': `${JSON.stringify({ operation: 'sweep', leg: 'build', code: 'NOTHING' })}\n`,
    })
    const read = readEvidence({
      root: '/root',
      reportFile: join(tree.root, 'report.json'),
      provokedFolder: join(tree.root, 'provoked'),
      answersFolder: join(tree.root, 'answers'),
    })
    tree.remove()
    expect([...read.tests]).toEqual([['some.test.ts: a group passes', 'passed']])
    expect([...read.provoked]).toEqual(['sweep build NOTHING'])
    expect(read.answered.get(fieldKey('sweep build', 'data.amount'))).toEqual(new Set(['string', 'null']))
    expect(read.statuses.get(codeKey('listImports', 'read', 'FETCH_FAILED'))).toBe(500)
  })
})

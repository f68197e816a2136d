import { describe, expect, it } from 'vitest'
import { writeTemporaryTree } from '../support/temporary-tree.ts'
import { codeCoverageFindings, readProvoked } from './code-coverage.ts'

const place = (operation: string, leg: string, code: string) => ({ operation, leg, code })

describe('code coverage', () => {
  it('reads the lines of every worker and ignores other files', () => {
    const tree = writeTemporaryTree({
      '1.jsonl': `${JSON.stringify(place('keys.create', 'request', 'BAD_NAME'))}\n\n`,
      '2.jsonl': `${JSON.stringify(place('keys.list', 'request', 'NOT_FOUND'))}\n`,
      'notes.txt': 'not a line of ours',
    })
    expect(readProvoked(tree.root)).toEqual([
      place('keys.create', 'request', 'BAD_NAME'),
      place('keys.list', 'request', 'NOT_FOUND'),
    ])
    tree.remove()
    expect(readProvoked(tree.root)).toEqual([])
  })

  it('finds what is listed but never provoked, and what is provoked but not listed', () => {
    const shared = place('keys.create', 'request', 'BAD_NAME')
    const listed = [shared, place('keys.create', 'confirm', 'TX_REVERTED')]
    const provoked = [shared, shared, place('keys.create', 'request', 'SURPRISE')]
    expect(codeCoverageFindings(listed, provoked)).toEqual([
      'listed, never provoked: keys.create confirm TX_REVERTED',
      'provoked, not listed: keys.create request SURPRISE',
    ])
    expect(codeCoverageFindings(listed, listed)).toEqual([])
  })
})

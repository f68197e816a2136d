import { describe, expect, it } from 'vitest'
import { column, tableOf } from './table.ts'

interface Row {
  readonly name: string
  readonly scopes: readonly string[]
  readonly usedAt: Date | null
  readonly isOurs: boolean
}
const rows: Row[] = [
  { name: 'reader', scopes: ['a:read', 'b:read'], usedAt: null, isOurs: true },
  { name: 'x', scopes: [], usedAt: new Date('2026-01-02T03:04:05Z'), isOurs: false },
]
const columns = [
  column<Row>('NAME', 'name'),
  column<Row>('SCOPES', 'scopes'),
  column<Row>('USED', 'usedAt'),
  column<Row>('OURS', 'isOurs'),
]

describe('a table', () => {
  it('lines its columns up, and ends no line with spaces', () => {
    expect(tableOf(rows, columns)).toBe(
      [
        'NAME    SCOPES          USED                      OURS',
        'reader  a:read, b:read  -                         yes',
        'x                       2026-01-02T03:04:05.000Z  no',
        '',
      ].join('\n'),
    )
  })

  it('lets no name of a caller move the cursor', () => {
    const [row] = rows
    const named = [{ ...row, name: 'a\u001b[2Jb\nc' } as Row]
    expect(tableOf(named, [column<Row>('NAME', 'name')])).toBe('NAME\na\\u001b[2Jb\\nc\n')
  })
})

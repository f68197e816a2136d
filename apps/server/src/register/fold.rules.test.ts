import { describe, expect, it } from 'vitest'
import { fold, foldWords, searchText, sortKey } from './fold.rules.ts'

describe('folded text', () => {
  it.each([
    ['Société Générale', 'societe generale'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Øresund Łódź Đakovo', 'oresund lodz dakovo'],
    ['ﬁnance ＡＢＣ', 'finance abc'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['a\u00A0\t b\r\nc', 'a b c'],
    ['a\0b\u200Bc', 'a b c'],
    ['Stra\uFFFDe', 'stra\uFFFDe'],
    ['100%_\\', '100%_\\'],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('shows where words begin, also behind brackets and hyphens', () => {
    expect(foldWords('Authority (MFSA) S&P non-bank')).toBe('authority ( mfsa) s& p non- bank')
    expect(searchText(['A B', 'C'])).toBe('\n a b\n c')
  })

  it('makes keys of bounded length', () => {
    expect([...sortKey('😀'.repeat(500))]).toHaveLength(200)
  })
})

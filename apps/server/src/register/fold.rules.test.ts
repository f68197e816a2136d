import { describe, expect, it } from 'vitest'
import { fold, foldWords, plainWords, searchText, sortKey, spellings } from './fold.rules.ts'

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

  it.each([
    ['Coca-Cola', 'coca cola'],
    ['A.B. Bank', 'ab bank'],
    ['Smith & Co.', 'smith co'],
    ['Müller–Meier (S.p.A.)', 'muller meier ( spa)'],
    ['-.&', ''],
    ['St.Gallen Co.KG', 'st gallen co kg'],
    ['J.Smith S.p.A.', 'j smith spa'],
  ])('%j without hyphens, ampersands and dots is %j', (text, plain) => {
    expect(plainWords(text)).toBe(plain)
    expect(foldWords(plain)).toBe(plain)
  })

  it('spells a name twice only where that makes a difference', () => {
    expect(spellings('Coca-Cola')).toEqual(['Coca-Cola', 'coca cola'])
    expect([spellings('Coca Cola'), spellings('--')]).toEqual([['Coca Cola'], ['--']])
  })

  it('makes keys of bounded length', () => {
    expect([...sortKey('😀'.repeat(500))]).toHaveLength(200)
  })
})

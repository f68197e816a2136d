import { describe, expect, it } from 'vitest'
import { drawnIn } from '../../../test/lending/pdf-text.ts'
import { exportName } from './terms.rules.ts'
import { blocksOf, plainTextOf } from './terms-document.ts'
import { drawnText, renderTermsPdf } from './terms-pdf.ts'

const render = (content: string) =>
  renderTermsPdf({ title: 'Terms', facts: ['Market 0x1'], blocks: blocksOf(content), createdAt: new Date(0) })

describe('terms without markup', () => {
  it('number lists as they are numbered, and set them in', () => {
    expect(plainTextOf('3. three\n4. four\n   - inner\n\n     more\n\n---\n\n> said')).toBe(
      '3. three\n\n4. four\n\n  - inner\n\n    more\n\n----\n\n  said\n',
    )
  })

  it('show tables as lines, keep hard line breaks, and join soft ones', () => {
    expect(plainTextOf('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('a | b\n\n1 | 2\n')
    expect(plainTextOf('one  \ntwo\nthree')).toBe('one\ntwo three\n')
  })

  it('say nothing twice about a link that shows its address', () => {
    expect(plainTextOf('<https://example.org>')).toBe('https://example.org\n')
  })
})

describe('terms on paper', () => {
  it('hold the words of the text, the title and the facts', async () => {
    const drawn = drawnIn(await render('# Interest\n\nTwo per cent a year – “fixed”.\n\n- one\n\n    code'))
    for (const word of ['Terms', 'Market 0x1', 'Interest', 'Two per cent', '- one', 'code'])
      expect(drawn).toContain(word)
    expect(drawn).not.toContain('U+')
  })

  it('are the same bytes every time', async () => {
    expect((await render('same')).equals(await render('same'))).toBe(true)
  })

  it('name what they cannot draw, and say where the exact text is', async () => {
    expect(drawnText('a北\u{1f30a}\t€')).toEqual({ text: 'a[U+5317][U+1F30A]    €', isExact: false })
    const drawn = drawnIn(await render('北光'))
    expect(drawn).toContain('[U+5317][U+5149]')
    expect(drawn).toContain('markdown export')
  })

  it('do not take for ever over a word without end', async () => {
    const started = performance.now()
    expect((await render('x'.repeat(100_000))).length).toBeGreaterThan(1_000)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('are named after the collateral', () => {
    expect(exportName('NORD', 3, 'pdf')).toBe('Lending-Terms-NORD-v3.pdf')
    expect(exportName('a/../b"; x=ABCDEFGHIJKLMNOP', 1, 'md')).toBe('Lending-Terms-abxABCDEFGHI-v1.md')
    expect(exportName('北光', 12, 'txt')).toBe('Lending-Terms-MARKET-v12.txt')
  })
})

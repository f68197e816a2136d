import { describe, expect, it } from 'vitest'
import { withInventedProviders } from './invented-providers.ts'

const HEADER = 'ae_homeMemberState,ae_lei_name,ae_lei,ae_address,'

describe('the invented providers', () => {
  const [header, ...lines] = withInventedProviders(`\uFEFF${HEADER}\r\n`).trimEnd().split('\r\n')
  const cells = lines.map((line) => line.split(','))
  const names = cells.map(([, name = '']) => name)

  it('are a thousand behind the header, the same every time, under its columns', () => {
    expect(header).toBe(`\uFEFF${HEADER}`)
    expect(lines).toHaveLength(1_000)
    expect(withInventedProviders(`${HEADER}\r\n`).split('\r\n').slice(1, -1)).toEqual(lines)
    for (const one of cells) expect(one).toHaveLength(5)
  })

  it('have names and identifiers of their own', () => {
    expect(new Set(names).size).toBe(1_000)
    expect(new Set(cells.map(([, , identifier]) => identifier)).size).toBe(1_000)
    for (const [, , identifier] of cells) expect(identifier).toMatch(/^DEMO00[0-9]{14}$/)
  })

  it('have namesakes that differ in marks alone, or in what they are', () => {
    const marked = names.filter((name) => /\p{M}|ß|ł|ø|æ|œ/u.test(name.normalize('NFD')))
    expect(marked).toHaveLength(900)
    const alike = names.filter((name) => /^Gr(üß|uss)tann /.test(name))
    expect(alike).toEqual([
      ...['Grüßtann Musterverwahrung GmbH', 'Grüßtann Beispielbörse GmbH', 'Grüßtann Musterverwahrung AG'],
      'Grusstann Beispielbörse AG',
    ])
  })
})

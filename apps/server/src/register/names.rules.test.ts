import { describe, expect, it } from 'vitest'
import { canBeOne } from './names.rules.ts'

describe('two names under one identifier', () => {
  it.each([
    ['Nordwind GmbH', 'NORDWIND G.m.b.H.'],
    ['Nordwind', 'Nordwind Sp. z o.o.'],
    ['Smith & Söhne S.p.A.', 'Smith Sohne SpA'],
    ['Nordwind Bank AG', 'Nordwnid Bank SE'],
  ])('%j and %j can be one', (one, other) => {
    expect([canBeOne(one, other), canBeOne(other, one)]).toEqual([true, true])
  })

  it.each([
    ['Beta AG', 'Gamma AG'],
    ['Beta AG', 'Zeta AG'],
    ['Platform AG', 'Unrelated Mining Ltd'],
    ['SA', 'AG'],
    ['Nordwind Verwahrung GmbH', 'Nordwind Handel GmbH'],
  ])('%j and %j cannot', (one, other) => {
    expect([canBeOne(one, other), canBeOne(other, one)]).toEqual([false, false])
  })
})

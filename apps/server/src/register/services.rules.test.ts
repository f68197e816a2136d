import { describe, expect, it } from 'vitest'
import { readServices } from './services.rules.ts'

const texts = {
  a: 'providing custody and administration of crypto-assets on behalf of clients',
  b: 'operation of a trading platform for crypto-assets',
  c: 'exchange of crypto-assets for funds',
  d: 'exchange of crypto-assets for other crypto-assets',
  e: 'execution of orders for crypto-assets on behalf of clients',
  f: 'placing of crypto-assets',
  g: 'reception and transmission of orders for crypto-assets on behalf of clients',
  h: 'providing advice on crypto-assets',
  i: 'providing portfolio management on crypto-assets',
  j: 'providing transfer services for crypto-assets on behalf of clients',
}
const all = Object.keys(texts)

describe('a cell with services', () => {
  it.each(Object.entries(texts))(
    'knows %s by letter and words, by words alone, and by the letter alone',
    (letter, words) => {
      for (const cell of [
        `${letter}. ${words}`,
        `${letter}.\t${words};`,
        `${letter}.${words}.`,
        `(${letter}) ${words}`,
        words,
        words.toUpperCase(),
        letter,
      ])
        expect([cell, readServices(cell)]).toEqual([cell, { letters: [letter], allRead: true }])
    },
  )

  it.each([' | ', '|', '\n', ' I ', ', ', ' / ', ';', ' '])('finds all ten apart by %j', (separator) => {
    const cell = Object.entries(texts)
      .map(([letter, words]) => `${letter}. ${words}`)
      .join(separator)
    expect(readServices(cell)).toEqual({ letters: all, allRead: true })
  })

  it('believes the words where letters are shifted against them', () => {
    expect(readServices(`d. ${texts.c} | e. ${texts.d}`).letters).toEqual(['c', 'd'])
  })

  it('knows one that was cut off', () => {
    expect(readServices('d. exchange of crypto-assets for other').letters).toEqual(['d'])
  })

  it('takes letters in a row', () => {
    expect(readServices('a b j').letters).toEqual(['a', 'b', 'j'])
    expect(readServices('a, c, e').letters).toEqual(['a', 'c', 'e'])
  })

  const pairs = all.flatMap((one) =>
    all.filter((other) => other !== one).map((other): [string, string] => [one, other]),
  )
  it.each(pairs)('finds %s and %s where no separator stands between them', (one, other) => {
    const [first, second] = [texts[one as keyof typeof texts], texts[other as keyof typeof texts]]
    for (const cell of [
      `${first} ${second}`,
      `${first}${second}`,
      `${one}. ${first}${other}. ${second}`,
      `(${one}) ${first}. ${second}`,
      `${one}.${first}${other}.${second}`,
      `${one}. ${first} ${other}.\t${second}`,
    ])
      expect([cell, readServices(cell)]).toEqual([cell, { letters: [one, other].sort(), allRead: true }])
  })

  it('gives all that stand in one part in words of its own, and says that it is no known text', () => {
    expect(readServices('custody and transfer services')).toEqual({ letters: ['a', 'j'], allRead: false })
    expect(readServices('Execution, placing and portfolio management').letters).toEqual(['e', 'f', 'i'])
  })

  it('says when a part is none of the ten, and takes blanks for none', () => {
    expect(readServices(`${texts.h} | teleportation`)).toEqual({ letters: ['h'], allRead: false })
    for (const cell of ['', ' ', 'n/a']) expect(readServices(cell)).toEqual({ letters: [], allRead: true })
  })
})

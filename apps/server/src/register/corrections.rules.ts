/** Shorter words have too many neighbours; longer ones are none. */
const LENGTH = { least: 5, most: 50 } as const
const MOST_WORDS = 10
const MOST_QUERIES = 10

const WORDS = /[\p{L}\p{N}]+/gu

/** The words of a folded text that may be corrected, each with its place. */
function correctable(folded: string): { word: string; from: number }[] {
  return [...folded.matchAll(WORDS)]
    .map(({ 0: word, index }) => ({ word, from: index }))
    .filter(({ word }) => {
      const { length } = [...word]
      return length >= LENGTH.least && length <= LENGTH.most
    })
}

/** The different words of a folded text that are long enough to be mistyped. */
export const longWords = (folded: string): string[] => [...new Set(correctable(folded).map(({ word }) => word))]

/** Those of a query that are looked at. */
export const wordsToCorrect = (query: string): string[] => longWords(query).slice(0, MOST_WORDS)

/** Whether one letter more, less or replaced, or two neighbours that change places, make one word of the other. */
export function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = [[...a], [...b]].sort((x, y) => x.length - y.length) as [string[], string[]]
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1
  const different = long.length - start - end
  if (different === 1) return true
  const areSwapped = short[start] === long[start + 1] && short[start + 1] === long[start]
  return different === 2 && short.length === long.length && areSwapped
}

/** The query with one of its words replaced by a known one that is one edit away; words that nobody knows are replaced first. */
export function correctedQueries(query: string, known: readonly string[]): string[] {
  const isKnown = new Set(known)
  const words = correctable(query)
  const strangers = words.filter(({ word }) => !isKnown.has(word))
  const others = words.filter(({ word }) => isKnown.has(word))
  const corrected = [...strangers, ...others].flatMap(({ word, from }) =>
    known
      .filter((one) => isOneEditApart(word, one))
      .sort()
      .map((one) => query.slice(0, from) + one + query.slice(from + word.length)),
  )
  return [...new Set(corrected)].slice(0, MOST_QUERIES)
}

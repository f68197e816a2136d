import { isMisspelt, wordsOf } from './names.rules.ts'

/** Misspelt letters are looked for among so many names of one identifier: more than any register has, and few enough for a broken file. */
const MOST_COMPARED = 32

/** Puts things together in groups; each is found by its place. */
function createGroups(count: number) {
  const above = Array.from({ length: count }, (_, place) => place)
  function topOf(place: number): number {
    let top = place
    while (above[top] !== top) top = above[top] ?? top
    // Whoever asks next has a shorter way.
    for (let at = place; at !== top; ) {
      const next = above[at] ?? top
      above[at] = top
      at = next
    }
    return top
  }
  return {
    topOf,
    join(one: number, other: number): void {
      above[topOf(one)] = topOf(other)
    },
  }
}

/**
 * Names under one identifier, put together where two can be one (`canBeOne`), directly or through a third: a firm for each name, the same
 * number for the same firm. What is equal but for signs, spaces and legal form, or continues another name, is found by its words; only
 * misspelt letters need a comparison, which the first names have among each other: whoever asks puts those first that matter most.
 */
export function firmsOf(names: readonly string[], misspelt = isMisspelt): number[] {
  const words = names.map(wordsOf)
  const compact = words.map((some) => some.join(''))
  const firms = createGroups(names.length)
  const byWords = new Map<string, number>()
  const byLetters = new Map<string, number>()
  for (const [place, some] of words.entries()) {
    for (const [index, key] of [
      [byWords, some.join(' ')],
      [byLetters, compact[place] ?? ''],
    ] as const) {
      firms.join(place, index.get(key) ?? place)
      index.set(key, place)
    }
  }
  for (const [place, some] of words.entries()) {
    let start = ''
    for (const word of some.slice(0, -1)) {
      start = start === '' ? word : `${start} ${word}`
      firms.join(place, byWords.get(start) ?? place)
    }
  }
  for (let one = 1; one < Math.min(names.length, MOST_COMPARED); one += 1)
    for (let other = 0; other < one; other += 1)
      if (firms.topOf(one) !== firms.topOf(other) && misspelt(compact[one] ?? '', compact[other] ?? ''))
        firms.join(one, other)
  return names.map((_, place) => firms.topOf(place))
}

import { fold } from './fold.rules.ts'

/** Legal forms as they end a name, without signs: a firm may change its form, and rows write it in several ways. */
const LEGAL_FORMS = new Set(
  'ab ad ag as aps asbl bv bvba co company corp dac doo eg eood eu gmbh inc kft kg kgaa limited llc lp ltd nv oo ooo ou oy oyj plc pte sa sarl sas sca scs se sgr si sia sl spa spzoo srl sro uab ug zrt'.split(
    ' ',
  ),
)

/** Longer names are compared by their beginnings. */
const COMPARED = 200

/** The words of a name without signs and legal form. Letters with dots between them are one word: S.p.A. */
export function wordsOf(name: string): string[] {
  const words = fold(name.slice(0, COMPARED))
    .replace(/[.’']/g, '')
    .split(/[^\p{L}\p{N}\uFFFD]+/u)
    .filter((word) => word !== '')
  const end = words.findLastIndex((word) => !LEGAL_FORMS.has(word)) + 1
  return end > 0 ? words.slice(0, end) : words
}

/** How many letters must be added, left out or replaced to make one text of the other. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (let row = 1; row <= a.length; row += 1) {
    const after = [row]
    for (let place = 1; place <= b.length; place += 1) {
      const replaced = (before[place - 1] ?? 0) + (a[row - 1] === b[place - 1] ? 0 : 1)
      after.push(Math.min(replaced, (before[place] ?? 0) + 1, (after[place - 1] ?? 0) + 1))
    }
    before = after
  }
  return before[b.length] ?? 0
}

/** One misspelt letter is forgiven for so many letters of a name. */
const LETTERS_PER_FAULT = 6

/** Whether two names, written without spaces, differ by so few letters that one may be the other misspelt. */
export function isMisspelt(one: string, other: string): boolean {
  const most = Math.floor(Math.max(one.length, other.length) / LETTERS_PER_FAULT)
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most
}

/**
 * Whether two names under one identifier can be spellings of one: the same but for signs, legal form and misspelt letters, or one with
 * something added behind the other.
 */
export function canBeOne(one: string, other: string): boolean {
  const [shorter, longer] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length) as [string[], string[]]
  if (shorter.length > 0 && shorter.every((word, place) => word === longer[place])) return true
  return isMisspelt(shorter.join(''), longer.join(''))
}

import { readText } from './cells.rules.ts'
import { fold } from './fold.rules.ts'

/** The ten crypto-asset services, by words that only their own description has. First match wins, so the narrower come first. */
const byWords: readonly (readonly [letter: string, words: RegExp])[] = [
  ['a', /custod|administration of crypto/],
  ['b', /trading platform|operation of a trading/],
  ['d', /exchange .*other( crypto)?|other crypto.?assets|^(for )?other$/],
  ['c', /exchange .*(funds|fiat|legal tender)|for funds/],
  ['e', /execut/],
  ['f', /placing|placement/],
  ['g', /recepti|receipt|transmission/],
  ['h', /advice|advis/],
  ['i', /portfolio/],
  ['j', /transfer/],
]

/** What stands between two services. A capital i between spaces stands for a bar; a lower-case one is a service. */
const SEPARATORS = /[|;,/\r\n]+|\sI\s|\s+(?=\(?[a-j][.)]\s*[A-Za-z])/
const ONLY_LETTERS = /^\(?[a-j][.)]*(?:\s+\(?[a-j][.)]*)+$/
const LEADING_LETTER =
  /^\(?([a-j])(?:[.):\s-]+|(?=(?:providing|operation|exchange|execution|placing|reception)\b)|$)(.*)$/

function letterOf(part: string): string | null {
  const text = part.replace(/[.;,\s]+$/, '')
  const [, letter, rest = ''] = LEADING_LETTER.exec(text) ?? []
  const words = letter === undefined ? text : rest
  // The words say which service it is: in places the letters are shifted against them.
  return byWords.find(([, pattern]) => pattern.test(words))?.[0] ?? letter ?? null
}

/** The services of a cell as letters a to j, in order; and whether every part could be read. */
export function readServices(cell: string): { readonly letters: string[]; readonly allRead: boolean } {
  if (readText(cell) === null) return { letters: [], allRead: true }
  const parts = cell
    .split(SEPARATORS)
    .map(fold)
    .flatMap((part) => (ONLY_LETTERS.test(part) ? part.split(/\s+/) : [part]))
    .filter((part) => /[a-z]/.test(part))
  const read = parts.map(letterOf)
  const letters = [...new Set(read.filter((letter) => letter !== null))].sort()
  return { letters, allRead: !read.includes(null) }
}

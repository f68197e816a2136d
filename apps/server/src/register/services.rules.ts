import { readText } from './cells.rules.ts'
import { fold } from './fold.rules.ts'

/** The ten crypto-asset services, by words that only their own description has. */
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

/** How the published description of a service begins, with its letter if it has one. The text before it ends in s: clients, assets, funds. */
const BEGINNING =
  /(?<![a-rt-z])(?:\(?[a-j][.):\s-]*)?(?:providing (?:custody|advice|portfolio|transfer)|operation of a trading|exchange of crypto|execution of orders|placing of|reception and trans)/g

/** The services that one part of a cell names. Several, where their words stand together, are no known description. */
function lettersOf(part: string): { readonly letters: readonly string[]; readonly isKnown: boolean } {
  const text = part.replace(/[.;,\s]+$/, '')
  const [, letter, rest = ''] = LEADING_LETTER.exec(text) ?? []
  const words = letter === undefined ? text : rest
  // The words say which service it is: in places the letters are shifted against them.
  const named = byWords.filter(([, pattern]) => pattern.test(words)).map(([found]) => found)
  if (named.length > 0) return { letters: named, isKnown: named.length === 1 }
  return letter === undefined ? { letters: [], isKnown: false } : { letters: [letter], isKnown: true }
}

/** The services of a cell as letters a to j, in order; and whether every part could be read. */
export function readServices(cell: string): { readonly letters: string[]; readonly allRead: boolean } {
  if (readText(cell) === null) return { letters: [], allRead: true }
  const parts = cell
    .split(SEPARATORS)
    .map(fold)
    // Where a separator is missing, the next description shows where it should be.
    .flatMap((part) => part.replace(BEGINNING, '\n$&').split('\n'))
    .flatMap((part) => (ONLY_LETTERS.test(part.trim()) ? part.trim().split(/\s+/) : [part.trim()]))
    .filter((part) => /[a-z]/.test(part))
  const read = parts.map(lettersOf)
  const letters = [...new Set(read.flatMap((one) => one.letters))].sort()
  return { letters, allRead: read.every(({ isKnown }) => isKnown) }
}

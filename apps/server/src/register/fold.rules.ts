/** Letters that do not come apart into a plain letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')
const MARKS = /\p{M}+/gu
/** What separates words or shows nothing at all; PostgreSQL could not even store some of it. */
const GAPS = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu

/** Text without case, accents and kinds of space: two spellings that a reader takes for the same come out the same. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(special, (letter) => plainLetters[letter] ?? letter)
    .replace(GAPS, ' ')
    .trim()
}

const HIDDEN_WORD_START = /(?<=[^\p{L}\p{N}\s])(?=[\p{L}\p{N}])/gu

/** Folded, with a space before every word, also behind a bracket or a hyphen: a word begins where a space is. */
export const foldWords = (text: string): string => fold(text).replace(HIDDEN_WORD_START, ' ')

/** Also a dot before a word: behind it begins another one, as in "St.Gallen". */
const JOINTS = /[\p{Pd}&]|\.(?=\p{L}{2})/gu
const DOTS = /\./g

/** The same as somebody writes it who leaves out hyphens, ampersands and dots: words stay apart, initials come together. */
export const plainWords = (text: string): string => foldWords(fold(text).replace(JOINTS, ' ').replace(DOTS, ''))

/** A name as it is written, and without its signs where that is something else. */
export function spellings(name: string): string[] {
  const plain = plainWords(name)
  return plain === '' || plain === foldWords(name) ? [name] : [name, plain]
}

/** Longer keys are cut: an index entry has a greatest size, and nobody may ask for more than this. */
export const KEY_LENGTH = 200
const FIELD_LENGTH = 1_000

export const sortKey = (text: string): string => [...foldWords(text)].slice(0, KEY_LENGTH).join('')

/**
 * Fields as a search looks through them: each on a line of its own, behind a space. What an entity is only mentioned with follows behind
 * tabs, so that its beginning is no more than that of a word.
 */
export const searchText = (fields: readonly string[], mentions: readonly string[] = []): string => {
  const folded = (field: string) => foldWords(field.slice(0, FIELD_LENGTH))
  return [...fields.map((field) => `\n ${folded(field)}`), ...mentions.map((name) => `\t ${folded(name)}`)].join('')
}

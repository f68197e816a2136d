const BLANK = /^(n\/?\.?a\.?|none|null|not available|not applicable|-+|\.)?$/i

/** A cell on one line without outer and doubled spaces; null when it says nothing. NUL cannot be stored and counts as a lost character. */
export function readText(cell: string): string | null {
  const text = cell
    .replaceAll('\0', '\uFFFD')
    .replace(/[\s\u00A0]+/gu, ' ')
    .trim()
  return BLANK.test(text) ? null : text
}

/** The same, with its line breaks. */
export function readLines(cell: string): string | null {
  const lines = cell
    .split(/\r\n|\r|\n/)
    .map((line) => readText(line))
    .filter((line) => line !== null)
  return lines.length > 0 ? lines.join('\n') : null
}

/** A calendar day, null for a cell that says nothing, undefined for one that cannot be read. Never American: the day comes first. */
export function readDay(cell: string): string | null | undefined {
  const text = readText(cell)
  if (text === null) return null
  const written = /^(\d{1,2})[/.-]+(\d{1,2})[/.-]+(\d{4})\.?$/.exec(text)
  const iso = /^(\d{4})-(\d{2})-(\d{2})([T ].*)?$/.exec(text)
  const [day, month, year] = written ? written.slice(1, 4) : iso ? [iso[3], iso[2], iso[1]] : []
  if (day === undefined || month === undefined || year === undefined) return undefined
  const named = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${named}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(named) ? named : undefined
}

export interface Identifier {
  /** As published, without stray dots and spaces. */
  readonly shown: string | null
  /** Set when it has the form of a legal entity identifier: only then it can name an entity. */
  readonly key: string | null
  readonly checksumHolds: boolean
}

/** The ISO 7064 check of a legal entity identifier: as a number with letters from 10 on, it leaves 1 when divided by 97. */
function checksumHolds(identifier: string): boolean {
  let rest = 0
  for (const sign of identifier)
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

export function readIdentifier(cell: string): Identifier {
  const shown = readText(cell)?.replace(/[.,;\s]+$/, '') || null
  const compact = (shown ?? '').replace(/\s/g, '').toUpperCase()
  if (!/^[0-9A-Z]{20}$/.test(compact)) return { shown, key: null, checksumHolds: false }
  return { shown: compact, key: compact, checksumHolds: checksumHolds(compact) }
}

/** Texts of a cell that holds several, apart by bars or line breaks. */
export const readList = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[|\r\n]+/)
      .map((part) => readText(part))
      .filter((part) => part !== null),
  ),
]

const TOKEN_IDENTIFIER = /\b[0-9A-Z]{9}\b/g

/** Digital token identifiers, with or without the name of their chain behind them. */
export const readTokenIdentifiers = (cell: string): string[] => [
  ...new Set(
    cell
      .toUpperCase()
      .match(TOKEN_IDENTIFIER)
      ?.filter((found) => /\d/.test(found)) ?? [],
  ),
]

const ADDRESS = /^(https?:\/\/|www\.)|^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}([/?#]|$)/i

/** Whether a cell could be a place on the web, even a misspelt one. */
export const looksLikeAddress = (text: string): boolean => ADDRESS.test(text) || /^(h?ttps?[.:]\/?\/)/i.test(text)

/** Schemes as they are misspelt in the files, put right; anything that is no address stays as it is. */
export function readAddresses(cell: string): string | null {
  const found = readList(cell).map((text) =>
    text.replace(
      /^(h?ttps?)[.:]\/{1,2}(?=\S)/i,
      (_all, scheme: string) =>
        `${scheme.toLowerCase().startsWith('h') ? scheme.toLowerCase() : `h${scheme.toLowerCase()}`}://`,
    ),
  )
  return found.length > 0 ? found.join('\n') : null
}

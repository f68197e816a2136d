import { readText } from './cells.rules.ts'

const europeanArea = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IS',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
] as const
const known: ReadonlySet<string> = new Set(europeanArea)
/** Codes as they are written in the files, and what they mean there. */
const meant: Readonly<Record<string, string>> = { EL: 'GR', SL: 'SI' }

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const codeOfName = new Map(europeanArea.map((code) => [names.of(code)?.toLowerCase() ?? code, code as string]))

export const countryName = (code: string): string | null => names.of(code) ?? null

export const memberStates = europeanArea.map((code) => ({ code: code as string, name: countryName(code) ?? code }))

/** A member state of the European Economic Area by its code, or undefined. */
export function readCountry(cell: string): string | null | undefined {
  const text = readText(cell)
  if (text === null) return null
  const code = meant[text.toUpperCase()] ?? text.toUpperCase()
  return known.has(code) ? code : codeOfName.get(text.toLowerCase())
}

/** Member states of a cell in any of the separators that occur, each once, in order of their codes; and whether all could be read. */
export function readCountries(cell: string): { readonly codes: string[]; readonly allRead: boolean } {
  const codes = new Set<string>()
  let allRead = true
  if (readText(cell) === null) return { codes: [], allRead }
  // A capital i between spaces stands for a bar.
  for (const part of cell.split(/[|,;/\r\n]+|\sI\s/)) {
    const one = readCountry(part)
    if (typeof one === 'string') codes.add(one)
    else if (one === undefined) {
      const each = part.trim().split(/\s+/).map(readCountry)
      if (each.every((code) => typeof code === 'string')) for (const code of each) codes.add(code as string)
      else allRead = false
    }
  }
  return { codes: [...codes].sort(), allRead }
}

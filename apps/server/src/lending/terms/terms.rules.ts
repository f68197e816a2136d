import { type Hex, keccak256, toBytes } from 'viem'

const MAX_CONTENT = 262_144
const MAX_TITLE = 200

export interface TermsText {
  readonly title: string | null
  readonly content: string
  readonly contentHash: Hex
}

type TermsFault = 'INVALID_TERMS_CONTENT' | 'INVALID_TERMS_TITLE' | 'TERMS_TOO_LARGE'

/** Control characters other than tab and line feed, and halves of surrogate pairs, which have no bytes. */
const unfit = /(?![\t\n])[\p{Cs}\p{Cc}]/u
const unfitLine = /[\p{Cs}\p{Cc}]/u

/** The text as it is stored and hashed: line ends are LF, whatever the caller's system writes. */
export function termsText(
  content: string,
  title: string | null | undefined,
): TermsText | { readonly fault: TermsFault } {
  const text = content.replace(/\r\n?/g, '\n')
  if (text.length > MAX_CONTENT || Buffer.byteLength(text, 'utf8') > MAX_CONTENT) return { fault: 'TERMS_TOO_LARGE' }
  if (text.trim() === '' || unfit.test(text)) return { fault: 'INVALID_TERMS_CONTENT' }
  const line = title?.trim() || null
  if (line !== null && (line.length > MAX_TITLE || unfitLine.test(line))) return { fault: 'INVALID_TERMS_TITLE' }
  return { title: line, content: text, contentHash: keccak256(toBytes(text)) }
}

/** A file that says what it is: of which collateral, and which version. */
export function exportName(symbol: string, version: number, ending: string): string {
  const letters = symbol.replace(/[^A-Za-z0-9]/g, '').slice(0, 12)
  return `Lending-Terms-${letters || 'MARKET'}-v${version}.${ending}`
}

/** A number of rows: the default for what is missing or no number, else the nearest that is allowed. */
export function pageLimit(text: string | undefined, { preset, max }: { preset: number; max: number }): number {
  if (text === undefined || !/^-?\d+$/.test(text)) return preset
  return Math.min(Math.max(Number(text), 1), max)
}

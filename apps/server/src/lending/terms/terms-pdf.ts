import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TextBlock } from './terms-document.ts'

export interface PdfTerms {
  readonly title: string
  /** Lines of small print under the title: which market, which version, which hash. */
  readonly facts: readonly string[]
  readonly blocks: readonly TextBlock[]
  readonly createdAt: Date
}

const MARGIN = 56
const INDENT = 18
const BLOCKS_PER_TURN = 50
const LONG_WORD = /\S{50}(?=\S)/g
const headingSizes = [18, 15, 13, 12, 11, 11] as const

// What the fonts that every reader of PDF has can draw.
const drawable =
  /[\n\u0020-\u007e\u00a0-\u00ff\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]/u

/** A character that cannot be drawn is named, never dropped: a contract with holes in it would say something else. */
export function drawnText(text: string): { readonly text: string; readonly isExact: boolean } {
  let isExact = true
  const drawn = Array.from(text.replaceAll('\t', '    '), (character) => {
    if (drawable.test(character)) return character
    isExact = false
    return `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
  })
  // A word wider than the page is laid out letter by letter, which takes a minute for a page of them.
  return { text: drawn.join('').replace(LONG_WORD, '$&\n'), isExact }
}

/** Terms on paper, with the hash that tells which text it is. */
export async function renderTermsPdf({ title, facts, blocks, createdAt }: PdfTerms): Promise<Buffer> {
  // Loaded by who wants paper: a start of the product does without.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info: { Title: title, CreationDate: createdAt } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const finished = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))

  let isExact = true
  function write(text: string, options: PDFKit.Mixins.TextOptions = {}): void {
    const drawn = drawnText(text)
    isExact &&= drawn.isExact
    pdf.text(drawn.text, options)
  }

  function writeBlock({ kind, level, marker, text }: TextBlock): void {
    if (kind === 'rule') {
      const y = pdf.y + 4
      pdf
        .moveTo(MARGIN, y)
        .lineTo(pdf.page.width - MARGIN, y)
        .lineWidth(0.5)
        .stroke()
      pdf.moveDown()
      return
    }
    pdf.font(kind === 'heading' ? 'Helvetica-Bold' : kind === 'code' ? 'Courier' : 'Helvetica')
    pdf.fontSize(kind === 'heading' ? (headingSizes[level - 1] ?? 11) : kind === 'code' ? 9 : 10)
    // Deep nesting must not leave the page.
    const depth = kind === 'heading' ? 0 : Math.min(marker ? level - 1 : level, 10)
    pdf.x = MARGIN + Math.max(0, depth) * INDENT
    write(marker + text, { width: pdf.page.width - MARGIN - pdf.x })
    pdf.moveDown(0.6)
  }

  pdf.font('Helvetica-Bold').fontSize(20)
  write(title)
  pdf.moveDown(0.4).font('Helvetica').fontSize(8).fillColor('#555555')
  for (const fact of facts) write(fact)
  pdf.moveDown(1.5).fillColor('black')
  for (const [index, block] of blocks.entries()) {
    writeBlock(block)
    // A long text takes a while; other requests get their turn.
    if (index % BLOCKS_PER_TURN === BLOCKS_PER_TURN - 1) await nextTurn()
  }
  if (!isExact) {
    pdf.x = MARGIN
    pdf.moveDown().font('Helvetica-Oblique').fontSize(8)
    pdf.text('Characters that this file cannot draw are named like [U+0041]. The markdown export holds the exact text.')
  }
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

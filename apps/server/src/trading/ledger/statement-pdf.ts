import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface PdfSection {
  readonly title: string
  /** Figures before the table, as pairs. */
  readonly facts: readonly (readonly [string, string])[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly note: string }[]
  /** Figures behind it. */
  readonly totals: readonly (readonly [string, string])[]
}

export interface PdfAccount {
  readonly title: string
  readonly facts: readonly (readonly [string, string])[]
  readonly columns: readonly string[]
  readonly sections: readonly PdfSection[]
  readonly notes: readonly string[]
  readonly createdAt: Date
}

const MARGIN = 48
const FACT_WIDTH = 120
const ROW_HEIGHT = 21
const ROWS_PER_TURN = 50
const SMALLEST = 2
/** Text and then figures, which stand at the right of their column. */
const widths = [104, 195, 100, 100] as const

/** Not packed: the library would unpack a font for every paper, by a program of its own that takes seconds. */
const font = (name: string) => readFile(new URL(`../../../fonts/${name}.ttf`, import.meta.url))

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** What the font cannot draw is named, never dropped: a reference with holes in it would be another one. */
export const drawn = (text: string, glyphs: Glyphs): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return glyphs.hasGlyphForCodePoint(code) ? character : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  }).join('')

/** An account on paper. The fonts go with it: names of customers have letters that no reader is sure to bring. */
export async function renderAccountPdf(account: PdfAccount): Promise<Buffer> {
  // Loaded by who wants paper: a start of the product does without.
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    font('Roboto-Regular'),
    font('Roboto-Bold'),
  ])
  const info = { Title: account.title, CreationDate: account.createdAt }
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const finished = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  pdf.registerFont('regular', regular).registerFont('bold', bold)
  const bottom = pdf.page.height - MARGIN
  const inner = pdf.page.width - 2 * MARGIN
  let y = MARGIN

  /** On one line, and smaller where it would not fit: a figure must never lose its end. */
  function put(text: string, x: number, width: number, align: 'left' | 'right' = 'left', size = 8): void {
    const { font: glyphs } = (pdf as unknown as { _font: { font: Glyphs } })._font
    const line = drawn(text, glyphs)
    const needed = pdf.fontSize(size).widthOfString(line)
    const fitting = needed <= width ? size : Math.max((size * width) / needed, SMALLEST)
    pdf.fontSize(fitting)
    const x0 = align === 'right' ? x + Math.max(width - pdf.widthOfString(line), 0) : x
    pdf.text(line, x0, y + (size - fitting) / 2, { lineBreak: false })
  }

  function row(cells: readonly string[]): void {
    let x = MARGIN
    for (const [index, cell] of cells.entries()) {
      const width = widths[index] ?? 0
      put(cell, x, width - 6, index < 2 ? 'left' : 'right')
      x += width
    }
  }

  /** A new page where this much would not fit any more. */
  function room(height: number): boolean {
    if (y + height <= bottom) return false
    pdf.addPage()
    y = MARGIN
    return true
  }

  function head(): void {
    pdf.font('bold')
    row(account.columns)
    y += 12
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + inner, y)
      .lineWidth(0.5)
      .stroke()
    y += 5
  }

  function pairs(list: readonly (readonly [string, string])[]): void {
    for (const [name, value] of list) {
      room(12)
      pdf.font('regular').fillColor('#555555')
      put(name, MARGIN, FACT_WIDTH)
      pdf.fillColor('black')
      put(value, MARGIN + FACT_WIDTH, inner - FACT_WIDTH)
      y += 12
    }
  }

  async function section({ title, facts, rows, totals }: PdfSection): Promise<void> {
    room(90)
    y += 14
    pdf.font('bold')
    put(title, MARGIN, inner, 'left', 11)
    y += 17
    pairs(facts)
    y += 6
    head()
    for (const [index, { cells, note }] of rows.entries()) {
      if (room(ROW_HEIGHT)) head()
      pdf.font('regular')
      row(cells)
      y += 10
      pdf.fillColor('#777777')
      put(note, MARGIN + widths[0], inner - widths[0], 'left', 6)
      pdf.fillColor('black')
      y += ROW_HEIGHT - 10
      // A long list takes a while; other requests get their turn.
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
    }
    y += 4
    pairs(totals)
  }

  pdf.font('bold')
  put(account.title, MARGIN, inner, 'left', 18)
  y += 30
  pairs(account.facts)
  for (const one of account.sections) await section(one)
  y += 8
  for (const note of account.notes) {
    room(11)
    pdf.font('regular').fillColor('#555555')
    put(note, MARGIN, inner, 'left', 7)
    y += 11
  }
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

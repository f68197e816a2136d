import { setImmediate as nextTurn } from 'node:timers/promises'
import { drawnText } from '../terms/index.ts'

interface PdfRow {
  readonly cells: readonly string[]
  /** Small print under the row. */
  readonly note: string
}

export interface PdfStatement {
  readonly title: string
  /** What the statement is about, as pairs. */
  readonly facts: readonly (readonly [string, string])[]
  readonly columns: readonly string[]
  readonly rows: readonly PdfRow[]
  readonly notes: readonly string[]
  readonly createdAt: Date
}

const MARGIN = 48
const FACT_WIDTH = 110
const ROW_HEIGHT = 21
const ROWS_PER_TURN = 50
const SMALLEST = 2
/** Text and then figures, which stand at the right of their column. */
const widths = [92, 187, 75, 75, 70] as const

/** A statement on paper. */
export async function renderStatementPdf({ title, facts, columns, rows, notes, createdAt }: PdfStatement) {
  // Loaded by who wants paper: a start of the product does without.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info: { Title: title, CreationDate: createdAt } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const finished = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  const bottom = pdf.page.height - MARGIN

  /** On one line, and smaller where it would not fit: a figure must never lose its end. */
  function put(text: string, x: number, y: number, width: number, align: 'left' | 'right' = 'left', size = 8): void {
    const line = drawnText(text).text.replaceAll('\n', '')
    pdf.fontSize(size)
    const needed = pdf.widthOfString(line)
    const fitting = needed <= width ? size : Math.max((size * width) / needed, SMALLEST)
    pdf.fontSize(fitting)
    const x0 = align === 'right' ? x + Math.max(width - pdf.widthOfString(line), 0) : x
    pdf.text(line, x0, y + (size - fitting) / 2, { lineBreak: false })
  }

  function row(cells: readonly string[], y: number): void {
    let x = MARGIN
    for (const [index, cell] of cells.entries()) {
      const width = widths[index] ?? 0
      put(cell, x, y, width - 6, index < 2 ? 'left' : 'right')
      x += width
    }
  }

  function head(y: number): number {
    pdf.font('Helvetica-Bold')
    row(columns, y)
    const line = y + 12
    pdf
      .moveTo(MARGIN, line)
      .lineTo(pdf.page.width - MARGIN, line)
      .lineWidth(0.5)
      .stroke()
    return line + 5
  }

  pdf.font('Helvetica-Bold')
  put(title, MARGIN, MARGIN, pdf.page.width - 2 * MARGIN, 'left', 18)
  let y = MARGIN + 30
  for (const [name, value] of facts) {
    pdf.font('Helvetica').fillColor('#555555')
    put(name, MARGIN, y, FACT_WIDTH)
    pdf.fillColor('black')
    put(value, MARGIN + FACT_WIDTH, y, pdf.page.width - 2 * MARGIN - FACT_WIDTH)
    y += 12
  }
  y = head(y + 12)
  for (const [index, { cells, note }] of rows.entries()) {
    if (y + ROW_HEIGHT > bottom) {
      pdf.addPage()
      y = head(MARGIN)
    }
    pdf.font('Helvetica')
    row(cells, y)
    pdf.fillColor('#777777')
    put(note, MARGIN + widths[0], y + 10, pdf.page.width - 2 * MARGIN - widths[0], 'left', 6)
    pdf.fillColor('black')
    y += ROW_HEIGHT
    // A long history takes a while; other requests get their turn.
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
  }
  if (y + 12 * (notes.length + 1) > bottom) {
    pdf.addPage()
    y = MARGIN
  }
  pdf.font('Helvetica').fillColor('#555555')
  for (const note of notes) {
    y += 11
    put(note, MARGIN, y, pdf.page.width - 2 * MARGIN, 'left', 7)
  }
  pdf.end()
  await finished
  return Buffer.concat(chunks)
}

import { inflateSync } from 'node:zlib'

/** A line of a page: what was drawn at one height, from left to right. */
export type PdfLine = readonly string[]

function objectsOf(pdf: Buffer): Map<string, { text: string; stream: string }> {
  const found = new Map<string, { text: string; stream: string }>()
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', bytes] = body.split(/stream\r?\n/)
    // As long as it says: what is packed may end with the signs of an end of line.
    const raw = bytes?.slice(0, Number(/\/Length (\d+)/.exec(head)?.[1]))
    const isPacked = head.includes('/FlateDecode')
    const stream = raw === undefined ? '' : isPacked ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw
    found.set(id, { text: head, stream })
  }
  return found
}

/** From the code of a glyph to what it stands for, by the table that goes with an embedded font. */
function unicodeOf(map: string): Map<string, string> {
  const codes = new Map<string, string>()
  const written = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
  for (const [, block = ''] of map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, from = '', , list = ''] of block.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi))
      for (const [index, hex] of list.trim().split(/\s+/).entries())
        codes.set((Number.parseInt(from, 16) + index).toString(16).padStart(4, '0'), written(hex.slice(1, -1)))
  return codes
}

/** What a reader of a PDF sees, page by page from the top: by the form of the file alone, and by nothing that wrote it. */
export function readPdf(pdf: Buffer): { lines: PdfLine[]; fonts: string[]; pages: number } {
  const objects = objectsOf(pdf)
  const of = (id: string | undefined) => objects.get(id ?? '') ?? { text: '', stream: '' }
  const all = [...objects.values()]
  const pages = all.filter(({ text }) => /\/Type \/Page\b(?!s)/.test(text))
  const lines: PdfLine[] = []
  for (const page of pages) {
    const resources = of(/\/Resources (\d+) 0 R/.exec(page.text)?.[1]).text
    const codes = new Map(
      Array.from(resources.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id]) => {
        const map = of(/\/ToUnicode (\d+) 0 R/.exec(of(id).text)?.[1]).stream
        return [name, unicodeOf(map)] as const
      }),
    )
    const content = of(/\/Contents (\d+) 0 R/.exec(page.text)?.[1]).stream
    const drawn = Array.from(
      content.matchAll(/1 0 0 1 ([\d.-]+) ([\d.-]+) Tm\n\/(F\d+) [\d.]+ Tf\n\[([\s\S]*?)\] TJ/g),
      ([, x, y, font = '', parts = '']) => {
        const hex = Array.from(parts.matchAll(/<([0-9a-f]*)>/gi), ([, digits = '']) => digits).join('')
        const glyphs = hex.match(/.{4}/g) ?? []
        return {
          x: Number(x),
          y: Number(y),
          text: glyphs.map((code) => codes.get(font)?.get(code) ?? '\uFFFD').join(''),
        }
      },
    )
    const heights = [...new Set(drawn.map(({ y }) => Math.round(y)))].sort((a, b) => b - a)
    for (const height of heights)
      lines.push(
        drawn
          .filter(({ y }) => Math.round(y) === height)
          .sort((a, b) => a.x - b.x)
          .map(({ text }) => text),
      )
  }
  const fonts = all.flatMap(({ text }) =>
    /\/FontFile\d? /.test(text) ? [/\/FontName \/(\S+)/.exec(text)?.[1] ?? ''] : [],
  )
  return { lines, fonts, pages: pages.length }
}

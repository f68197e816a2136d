import { inflateSync } from 'node:zlib'

/** Every string that a PDF draws, in order. */
export function drawnIn(pdf: Buffer): string {
  const streams = pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)
  const pages = Array.from(streams, ([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'))
  const hex = pages.flatMap((page) => Array.from(page.matchAll(/<([0-9a-f]+)>/g), ([, digits = '']) => digits))
  return hex.map((digits) => Buffer.from(digits, 'hex').toString('latin1')).join('')
}

import type { ListedTerms, TermsRow } from './terms.store.ts'
import { blocksOf, htmlOf, plainTextOf } from './terms-document.ts'
import { renderTermsPdf } from './terms-pdf.ts'

export type TermsFormat = 'markdown' | 'html'

/** A version as lists show it. */
export const listedTerms = (row: ListedTerms) => ({
  id: row.termsId,
  version: row.version,
  title: row.title,
  contentHash: row.contentHash,
  curatorAddress: row.author,
  published: row.published,
  createdAt: row.createdAt.toISOString(),
})

/** A version with its text. */
export function shownTerms(marketAddress: string, row: TermsRow, format: TermsFormat = 'markdown') {
  const { content, createdAt, publishedAt } = row
  const text = format === 'html' ? { html: htmlOf(content) } : { content, plainText: plainTextOf(content) }
  return {
    ...listedTerms(row),
    marketAddress,
    providesForExtensions: row.providesForExtensions,
    publishedAt: publishedAt?.toISOString() ?? null,
    updatedAt: (publishedAt ?? createdAt).toISOString(),
    contentBytes: Buffer.byteLength(content, 'utf8'),
    format,
    ...text,
  }
}

export const exportEndings = { pdf: 'pdf', text: 'txt', markdown: 'md' } as const
export type ExportFormat = keyof typeof exportEndings

export async function exportedTerms(
  marketAddress: string,
  row: TermsRow,
  format: ExportFormat,
): Promise<{ type: string; bytes: Buffer }> {
  const { content } = row
  if (format === 'markdown') return { type: 'text/markdown; charset=utf-8', bytes: Buffer.from(content, 'utf8') }
  if (format === 'text') return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(plainTextOf(content), 'utf8') }
  const state = row.isCurrent ? 'in force' : 'draft, not in force'
  const facts = [
    `Market ${marketAddress}`,
    `Version ${row.version}, ${state}, saved ${row.createdAt.toISOString()} by ${row.author}`,
    `keccak256 of the text: ${row.contentHash}`,
  ]
  const title = row.title ?? 'Lending terms'
  const bytes = await renderTermsPdf({ title, facts, blocks: blocksOf(content), createdAt: row.createdAt })
  return { type: 'application/pdf', bytes }
}

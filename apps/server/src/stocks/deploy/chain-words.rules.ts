/** Words that somebody put on chain, as the database can keep and people can read them. */
export function keptWords(text: string, most: number): string {
  const kept = [...text]
    .slice(0, most)
    .join('')
    .replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
  return kept === '' ? '?' : kept
}

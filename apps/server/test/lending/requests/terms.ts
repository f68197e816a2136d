/** Bodies of the right form, by operation. */
export const termsBodies: Record<string, Record<string, unknown>> = {
  putTerms: { content: '# Terms', title: 'Plausible' },
}

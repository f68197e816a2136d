/** A block of TypeScript, whatever stands behind the word. */
const TYPESCRIPT = /^```ts\b[^\n]*\n([\s\S]*?)^```$/gm

/** The program that a page prints: its blocks of TypeScript, one after the other. */
export const programOf = (page: string): string => [...page.matchAll(TYPESCRIPT)].map(([, code]) => code).join('\n')

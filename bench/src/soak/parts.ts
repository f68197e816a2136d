const SOAK_PARTS = [
  'contracts',
  'model',
  'http',
  'engine',
  'orders',
  'lanes',
  'processes',
  'alarms',
  'chain',
  'platforms',
  'cluster',
] as const
export type SoakPart = (typeof SOAK_PARTS)[number]

const isPart = (word: string): word is SoakPart => SOAK_PARTS.some((part) => part === word)

/** The parts come first, none means all of them; options go on to a part that is chosen alone. */
export function chooseSoaks(words: string[]): { parts: SoakPart[]; options: string[] } | { fault: string } {
  const firstOption = words.findIndex((word) => word.startsWith('-'))
  const [named, options] = firstOption < 0 ? [words, []] : [words.slice(0, firstOption), words.slice(firstOption)]
  const parts = named.filter(isPart)
  if (parts.length !== named.length) return { fault: `The parts are ${SOAK_PARTS.join(', ')}; not: ${named.join(' ')}` }
  if (options.length > 0 && parts.length !== 1)
    return { fault: `Options are for one part: npm run test:soak -- http ${options.join(' ')}` }
  return { parts: parts.length === 0 ? [...SOAK_PARTS] : parts, options }
}

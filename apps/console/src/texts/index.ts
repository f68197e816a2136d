import { en } from './en.ts'

/** The language of the console; there is one so far. */
export const t = en

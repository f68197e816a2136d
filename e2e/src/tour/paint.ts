import { styleText } from 'node:util'

/** Colours are for eyes: a file or another program gets plain text. */
const isSeen = process.stdout.isTTY && !process.env.NO_COLOR

export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  isSeen ? styleText(style, text) : text
